# Spends 75 % of its time in heavy, at the end of a recursion, and 25 % in light, in a block that C code calls.
def heavy(n)
  s = 0
  i = 0
  while i < n
    s = (s * 31 + i) % 1000003 # line of heavy
    i += 1
  end
  s
end

def light(n)
  s = 0
  i = 0
  while i < n
    s = (s * 31 + i) % 1000003
    i += 1
  end
  s
end

def deep(k, n)
  return heavy(n) if k == 0

  deep(k - 1, n) # line of deep
end

class Server
  def now
    Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end

  def run(last)
    while now < last
      deep(5, 15_000) # line of run
      [2500, 2500].each do |n|
        light(n)
      end
    end
  end
end

server = Server.new
server.run(server.now + ARGV[0].to_f)
