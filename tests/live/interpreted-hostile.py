# SPDX-License-Identifier: MIT
"""Records a hostile program for tests/live/interpreted-hostile.sh: WHAT COMMAND...

Fails unless the recording ends well, with limited CPU time and memory, and all that is shown of it is printable. Leaves
the stacks in the file "shown".
"""
import resource
import subprocess
import sys
import unicodedata

CPU_SECONDS = 20  # of perf itself
MEMORY_KB = 800 << 10
what, command = sys.argv[1], sys.argv[2:]


def die(why):
    sys.exit(what + ': ' + why)


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))


def run(args):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(args, stdin=subprocess.DEVNULL, capture_output=True, preexec_fn=limit, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def check_text(name, data):
    try:
        text = data.decode()
    except UnicodeDecodeError as e:
        die('%s is not UTF-8: %r' % (name, data[max(0, e.start - 40):e.end + 40]))
    for line in text.split('\n'):
        for c in line:
            if c != '\t' and unicodedata.category(c) in ('Cc', 'Cf', 'Cs', 'Zl', 'Zp'):
                die('%s has %r in %r' % (name, c, line[:200]))


record, seconds = run(['perf', 'record', '-q', '-e', 'cpu-clock', '-F', '999', '--call-graph', 'bpf', '-o', 'data',
                       '--'] + command)
if record.returncode:
    die('perf record fails (%d): %s' % (record.returncode, record.stderr.decode(errors='replace')))
check_text('what perf record says', record.stderr)
for args in ['script', '-F', 'comm,ip,sym,dso'], ['report', '--stdio', '-g', 'none', '-s', 'sym,srcline']:
    shown, _ = run(['perf', args[0], '-i', 'data'] + args[1:])
    if shown.returncode:
        die('perf %s fails (%d): %s' % (args[0], shown.returncode, shown.stderr.decode(errors='replace')))
    check_text('perf ' + args[0], shown.stdout)
    if args[-1] == 'comm,ip,sym,dso':
        with open('shown', 'wb') as f:
            f.write(shown.stdout)
if resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss > MEMORY_KB:
    die('%d KB of memory' % resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
if seconds > CPU_SECONDS:
    die('%.1f s of CPU time' % seconds)
print('%s: %.1f s, %d KB, %d bytes of stacks' % (what, seconds, resource.getrusage(
    resource.RUSAGE_CHILDREN).ru_maxrss, len(open('shown', 'rb').read())))
