# SPDX-License-Identifier: MIT
"""A load for tests/live/interpreted-python.sh: SECONDS FILE

Every way in which Python code is called ends in spin(). Writes the stacks that Python itself reports there to FILE, one
a line: functions as FILE:NAME:LINE, outermost first. Runs on Python 3.7 and newer.
"""
import functools
import os
import sys
import threading
import time

try:
    import asyncio
    import ctypes
    import zlib
except ImportError:  # a small installation
    asyncio = ctypes = zlib = None

known = set()
lock = threading.Lock()
data = bytes(40000)
seconds, path = float(sys.argv[1]), sys.argv[2]
has_names = hasattr((lambda: 0).__code__, 'co_qualname')


def name(frame):
    code = frame.f_code
    file = code.co_filename
    base = os.path.basename(file)
    if base == '__init__.py':
        base = os.path.basename(os.path.dirname(file)) + '/' + base
    return '%s:%s:%d' % (base, code.co_qualname if has_names else code.co_name, frame.f_lineno)


def spin(seconds=0.03):
    frames = []
    frame = sys._getframe(1)
    while frame:
        frames.append(name(frame))
        frame = frame.f_back
    with lock:
        known.add(' '.join(reversed(frames)))
    end = time.process_time() + seconds
    while time.process_time() < end:
        # Half of the time is spent in C code that has released the lock.
        for i in range(1000):
            pass
        if zlib:
            zlib.crc32(data)


def recurse(n):
    if n:
        recurse(n - 1)
    else:
        spin()


def generate():
    for i in range(2):
        spin()
        yield i


def delegate():
    yield from generate()


class Server:
    @property
    def value(self):
        spin()
        return 1

    def __lt__(self, other):
        spin(0.01)
        return True

    def __del__(self):
        spin()

    @staticmethod
    def run():
        return [Server().value for _ in range(1)]


async def inner():
    spin()
    if asyncio:
        await asyncio.sleep(0)
    spin()


async def outer():
    await inner()
    if asyncio:
        await asyncio.gather(inner(), inner())


def run_outer():
    if asyncio:
        getattr(asyncio, 'run', asyncio.new_event_loop().run_until_complete)(outer())
    else:
        list(outer().__await__())


def raising():
    try:
        raise ValueError
    except ValueError:
        spin()
    finally:
        spin()


def compare(a, b):
    spin(0.01)
    return 0


def called_from_c():
    if ctypes:
        function = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
        ctypes.CDLL(None).qsort((ctypes.c_int * 3)(), 3, 4, function(compare))


def zażółć_gęślą():
    spin()


def main():
    spin()
    recurse(5)
    recurse(50)
    recurse(400)
    list(delegate())
    sorted([Server(), Server()])
    Server.run()
    functools.reduce(lambda a, b: spin(), [1, 2, 3])
    max([1, 2], key=lambda x: spin() or x)
    exec(compile('def made():\n  spin()\nmade()', '<made>', 'exec'), {'spin': spin})
    eval('(lambda: spin())()')
    called_from_c()
    raising()
    zażółć_gęślą()
    run_outer()


end = time.time() + seconds
while time.time() < end:
    threads = [threading.Thread(target=f) for f in (main, spin, lambda: recurse(20))]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    main()
with open(path, 'w', encoding='utf-8') as f:
    f.writelines(line + '\n' for line in sorted(known))
