#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Exact tests of the objects of the module perf: python-objects.py FOLDER. Prints failures.
"""
import ctypes
import errno
import gc
import os
import pathlib
import platform
import signal
import struct
import sys
import threading
import time
import traceback

import perf

FOLDER = sys.argv[1]
PATH = FOLDER + "/made.data"
TESTS = []
IP, TID, TIME, CPU, PERIOD, CALLCHAIN = 1, 2, 4, 0x80, 0x100, 0x20
USER = 2 ** 64 - 512  # PERF_CONTEXT_USER


def test(function):
    TESTS.append(function)
    return function


def raises(kind, words, function, *args, **kwargs):
    """Asserts that exactly @kind is raised, with @words in its text."""
    try:
        function(*args, **kwargs)
    except Exception as e:
        assert type(e) is kind, (type(e), e)
        assert words in str(e), "%r is not in %r" % (words, str(e))
        return e
    raise AssertionError("nothing was raised: %r %r" % (args, kwargs))


def record(kind, misc, body, time=None, pid=7, tid=7, cpu=0):
    """Makes a record; with @time, it has the trailer of sample_id_all."""
    if time is not None:
        body += struct.pack("<IIQII", pid, tid, time, cpu, 0)
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def padded(name):
    return name + bytes(8 - len(name) % 8)


def sample(time, pid, cpu, period, *ips):
    return record(9, 2, struct.pack("<QIIQIIQQ", ips[0], pid, pid, time, cpu, 0, period, len(ips) + 1) +
                  struct.pack("<%dQ" % (len(ips) + 1), USER, *ips))


def recording():
    """Two tasks, a map, and a record of each kind; four samples at 100 to 400, one of them out of order."""
    attr = struct.pack("<IIQQQQQ", 1, 128, 0, 1000, IP | TID | TIME | CPU | PERIOD | CALLCHAIN, 0, 1 << 18)
    data = record(3, 0, struct.pack("<II", 7, 7) + padded(b"one"), 1)
    data += record(3, 1 << 13, struct.pack("<II", 8, 9) + padded(b"two"), 2, 8, 9)
    data += record(10, 2, struct.pack("<IIQQQIIQQII", 7, 7, 0x1000, 0x1000, 0x3000, 8, 1, 5, 0, 5, 2) +
                   padded(b"/bin/app"), 3)
    data += record(7, 0, struct.pack("<IIIIQ", 20, 7, 21, 8, 4), 4)
    data += record(4, 0, struct.pack("<IIIIQ", 20, 7, 21, 8, 5), 5)
    data += record(2, 0, struct.pack("<QQ", 3, 17), 6)
    data += record(5, 0, struct.pack("<QQQ", 7, 31, 32), 7)
    data += record(6, 0, struct.pack("<QQQ", 8, 33, 34), 8)
    data += record(15, 1 << 13, struct.pack("<II", 40, 41), 9)
    data += sample(100, 7, 0, 5, 0x1100, 0x1200) + sample(300, 8, 2, 7, 0x1300)
    data += sample(200, 7, 1, 6, 0x1100) + sample(400, 8, 3, 2 ** 63, 0x9000, 0x1100, 0x1200)
    start = 104 + 144
    head = b"PERFILE2" + struct.pack("<QQQQQQ", 104, 144, 104, 144, start, len(data))
    return head.ljust(104, b"\0") + attr.ljust(128, b"\0") + struct.pack("<QQ", 0, 0) + data


def columns(*fields, **how):
    return perf.columns(PATH, list(fields), **how)


@test
def tables_tell_what_they_have():
    table = columns("time", "comm")
    assert table.names == ("time", "comm") and table.keys() == ("time", "comm") and list(table) == ["time", "comm"]
    assert table.num_rows == 4 and table.num_columns == 2 and len(table) == 4
    assert repr(table) == "<perf.table: 4 rows of ('time', 'comm')>", repr(table)
    assert isinstance(table.notes, tuple) and any("17" in note for note in table.notes), table.notes
    for name in ("names", "num_rows", "num_columns", "notes"):
        raises(AttributeError, name, setattr, table, name, 1)
    raises(TypeError, "perf.columns() makes tables", perf.table)
    raises(TypeError, "", table.keys, 1)


@test
def columns_are_found_by_name_and_number():
    table = columns("time", "comm", "cpu")
    assert [table[i].name for i in (0, 1, 2, -1, -2, -3)] == ["time", "comm", "cpu", "cpu", "comm", "time"]
    assert table["cpu"].name == "cpu"
    assert raises(KeyError, "nope", lambda: table["nope"]).args == ("nope",)
    for i in (3, -4, 2 ** 40, -2 ** 40):
        raises(IndexError, "Index out of range", lambda n=i: table[n])
    raises(IndexError, "", lambda: table[2 ** 80])
    raises(TypeError, "", lambda: table[1.0])
    raises(TypeError, "", lambda: table[None])


@test
def fields_have_a_default():
    assert perf.columns(PATH).names == ("time", "cpu", "pid", "tid", "comm", "event", "period", "ip", "symbol", "dso")
    assert perf.columns(PATH, None).num_columns == 10 and perf.columns(PATH, []).num_columns == 0
    assert perf.columns(PATH, "time").names == ("time",) and perf.columns(PATH, ("ip", "cpu")).names == ("ip", "cpu")
    fields = perf.column_fields()
    assert fields == ("time cpu pid tid comm event period ip symbol symoff dso callchain callchain_symbol callchain_dso "
                      "brstack_from brstack_to addr id stream_id weight ins_latency p_stage_cyc data_src transaction "
                      "phys_addr data_page_size code_page_size cgroup misc").split(), fields
    assert len(fields) == len(set(fields)) == perf.columns(PATH, fields).num_columns
    raises(TypeError, "", perf.column_fields, 1)


@test
def columns_have_values_types_and_texts():
    table = columns("time", "cpu", "comm", "callchain", "callchain_dso", "addr", "period", "symoff")
    expected = {
        "time": ("uint64", [100, 200, 300, 400], 0),
        "cpu": ("int32", [0, 1, 2, 3], 0),
        "comm": ("name", ["one", "one", ":8", ":8"], 0),
        "callchain": ("list<uint64>", [[0x1100, 0x1200], [0x1100], [0x1300], [0x9000, 0x1100, 0x1200]], 0),
        "callchain_dso": ("list<name>", [["/bin/app"] * 2, ["/bin/app"], [None], [None] * 3], 0),
        "addr": ("uint64", [None] * 4, 4),
        "period": ("uint64", [5, 6, 7, 2 ** 63], 0),
    }
    for name, (kind, values, nulls) in expected.items():
        column = table[name]
        assert column.name == name and column.type == kind and len(column) == 4, (name, column.type)
        assert column.tolist() == values, (name, column.tolist())
        assert [column[i] for i in range(4)] == values and column[-1] == values[3] and column[-4] == values[0]
        assert column.null_count == nulls, (name, column.null_count)
        assert repr(column) == "<perf.column '%s': 4 of %s>" % (name, kind), repr(column)
        for i in (4, -5):
            raises(IndexError, "Index out of range", lambda c=column, n=i: c[n])
        for attribute in ("name", "type", "null_count", "names", "offsets", "valid", "__array_interface__"):
            raises(AttributeError, attribute, setattr, column, attribute, 1)
    assert table["comm"].names == ("one", ":8") and table["time"].names == ()
    assert table["callchain_dso"].names == ("/bin/app",)
    raises(TypeError, "perf.columns() makes tables; <class 'perf.column'> cannot be called", perf.column)
    raises(TypeError, "perf.columns() makes tables; <class 'perf.buffer'> cannot be called", perf.buffer)


@test
def columns_are_arrays():
    table = columns("time", "cpu", "comm", "callchain", "addr")
    assert table["time"].tobytes() == struct.pack("=4Q", 100, 200, 300, 400)
    assert table["cpu"].tobytes() == struct.pack("=4i", 0, 1, 2, 3)
    assert table["comm"].tobytes() == struct.pack("=4i", 0, 0, 1, 1)
    assert table["callchain"].tobytes() == struct.pack("=7Q", 0x1100, 0x1200, 0x1100, 0x1300, 0x9000, 0x1100, 0x1200)
    for name, n, form, kind, size in (("time", 4, "Q", "u8", 8), ("cpu", 4, "i", "i4", 4), ("comm", 4, "i", "i4", 4),
                                      ("callchain", 7, "Q", "u8", 8)):
        view = memoryview(table[name])
        assert (view.format, view.shape, view.strides, view.itemsize, view.ndim) == (form, (n,), (size,), size, 1)
        assert view.readonly and view.nbytes == n * size and view.tobytes() == table[name].tobytes()
        interface = table[name].__array_interface__
        order = "<" if sys.byteorder == "little" else ">"
        assert interface["version"] == 3 and interface["shape"] == (n,) and interface["typestr"] == order + kind
        assert interface["data"][0] > 0 and interface["data"][1] is True and len(interface) == 4
    raises(TypeError, "read-only", memoryview(table["time"]).__setitem__, 0, 1)
    # Writable buffers are refused.
    raises(BufferError, "the columns of a table are read-only", os.readv, -1, [table["time"]])


@test
def lists_and_gaps_have_buffers():
    table = columns("time", "callchain", "addr")
    offsets, valid = table["callchain"].offsets, table["addr"].valid
    assert list(offsets) == [0, 2, 3, 4, 7] and len(offsets) == 5
    assert offsets.tobytes() == struct.pack("=5q", 0, 2, 3, 4, 7)
    assert memoryview(offsets).format == "q" and memoryview(offsets).shape == (5,)
    assert offsets.__array_interface__["typestr"][1:] == "i8" and offsets.__array_interface__["shape"] == (5,)
    assert len(valid) == 1 and valid[0] & 15 == 0 and valid.tobytes() == bytes(valid)  # the other bits have no meaning
    assert memoryview(valid).format == "B" and valid.__array_interface__["typestr"] == "|u1"
    assert offsets[-1] == 7 and offsets[4] == 7
    for i in (5, -6):
        raises(IndexError, "Index out of range", lambda n=i: offsets[n])
    assert table["time"].offsets is None and table["time"].valid is None and table["callchain"].valid is None
    del table
    gc.collect()
    assert list(offsets) == [0, 2, 3, 4, 7]  # the array keeps the table alive


@test
def arrow_gets_capsules():
    table = columns("time", "comm")
    for o in (table, table["comm"]):
        assert '"arrow_schema"' in repr(o.__arrow_c_schema__())
        for pair in (o.__arrow_c_array__(), o.__arrow_c_array__(None), o.__arrow_c_array__(requested_schema=None)):
            assert '"arrow_schema"' in repr(pair[0]) and '"arrow_array"' in repr(pair[1]) and len(pair) == 2
        raises(TypeError, "", o.__arrow_c_array__, bogus=1)
        raises(TypeError, "", o.__arrow_c_array__, None, None)
        raises(TypeError, "", o.__arrow_c_schema__, 1)
    assert '"arrow_array_stream"' in repr(table.__arrow_c_stream__())
    raises(TypeError, "", table.__arrow_c_stream__, None, None)


def times(**how):
    return columns("time", **how)["time"].tolist()


@test
def samples_are_chosen_by_task_and_cpu():
    assert times(pid=7) == [100, 200] and times(pid=[8]) == [300, 400] and times(pid=(7, 8)) == [100, 200, 300, 400]
    assert times(pid=9) == [] and times(tid=8) == [300, 400] and times(tid=[7, 9]) == [100, 200]
    assert times(cpu=0) == [100] and times(cpu=[3, 1]) == [200, 400] and times(cpu="1-2") == [200, 300]
    assert times(cpu="0,3") == [100, 400] and times(pid=None, tid=None, cpu=None) == [100, 200, 300, 400]
    assert times(comm="one") == [100, 200] and times(comm=["x", "one"]) == [100, 200] and times(comm="on") == []
    assert times(dso="app") == [100, 200], times(dso="app")
    assert times(symbol="nothing") == []
    for word in ("pid", "tid"):
        raises(ValueError, "-2 is out of range", times, **{word: -2})
        raises(ValueError, "2147483648 is out of range", times, **{word: 2 ** 31})
        assert times(**{word: 2 ** 31 - 1}) == []
        raises(OverflowError, "", times, **{word: 2 ** 70})
        raises(TypeError, "", times, **{word: "7"})
        raises(TypeError, "", times, **{word: 7.5})
        raises(TypeError, "", times, **{word: [None]})
    raises(ValueError, "'x' is not a list of CPUs such as '0-3,5'", times, cpu="x")
    raises(ValueError, "'3-1' is not a list", times, cpu="3-1")
    raises(ValueError, "out of range", times, cpu=2 ** 31 - 1)
    raises(ValueError, "-2 is out of range", times, cpu=[0, -2])
    raises(TypeError, "", times, cpu=1.5)


@test
def samples_are_chosen_by_time():
    assert times(time=(200, 300)) == [200, 300] and times(time=(201, 299)) == []
    assert times(time=(None, 200)) == [100, 200] and times(time=(300, None)) == [300, 400]
    assert times(time=(None, None)) == [100, 200, 300, 400] == times(time=None)
    assert times(time="0.0000002,0.0000003") == [200, 300], times(time="0.0000002,0.0000003")
    raises(OverflowError, "", times, time=(-1, None))
    raises(TypeError, "", times, time=("x", None))
    raises(TypeError, "", times, time=(1, 2.5))
    raises(TypeError, "time must be a str or a sequence of str, not <class 'int'>", times, time=5)
    raises(TypeError, "time must be a str or a sequence of str", times, time=(1, 2, 3))
    raises(ValueError, "'x' is not a span of time such as '10.5,11' (seconds) or '10%-20%'", times, time="x")


@test
def texts_are_strs():
    for word in ("comm", "dso", "symbol", "event"):
        for wrong, kind in ((3, "int"), ([3], "int"), (["a", None], "NoneType"), (b"x", None)):
            e = raises(TypeError, word + " must be a str or a sequence of str, not ", times, **{word: wrong})
            assert kind is None or kind in str(e), e
        raises(ValueError, word + " must not contain a NUL", times, **{word: "a\0b"})
    raises(TypeError, "fields must be a str or a sequence of str, not <class 'float'>", perf.columns, PATH, 1.5)
    assert times(event="cpu-clock*") == [100, 200, 300, 400]
    raises(TypeError, "", perf.columns, PATH, ["time"], "cpu-clock")
    raises(TypeError, "bogus", times, bogus=1)
    raises(ValueError, "max_stack must not be negative", times, max_stack=-1)
    assert columns("callchain", max_stack=1)["callchain"].tolist() == [[0x1100], [0x1100], [0x1300], [0x9000]]
    assert columns("callchain", max_stack=2)["callchain"][3] == [0x9000, 0x1100]
    raises(TypeError, "", times, max_stack="1")


@test
def paths_are_those_of_python():
    for path in (PATH, PATH.encode(), pathlib.Path(PATH)):
        assert len(perf.columns(path, "time")) == 4
    e = raises(FileNotFoundError, "nope", perf.columns, FOLDER + "/nope")
    assert e.errno == errno.ENOENT
    raises(TypeError, "", perf.columns, 5)
    raises(ValueError, "null", perf.columns, "a\0b")
    for word in ("symfs", "vmlinux", "kallsyms"):
        raises(TypeError, "", times, **{word: 5})
        assert len(times(**{word: None})) == 4


@test
def mistakes_are_errors_of_the_module():
    with open(FOLDER + "/none.data", "wb") as f:
        f.write(b"nothing of use here, but long enough to be looked at " * 9)
    e = raises(perf.error, "none.data", perf.columns, FOLDER + "/none.data")
    assert isinstance(e, OSError) and isinstance(e, ValueError) and isinstance(e.errno, int) and e.errno > 0
    e = raises(perf.error, "'perid'", columns, "time", "perid")
    assert e.errno == errno.EINVAL and "Did you mean 'period' or 'pid'?" in e.args[1].split("\n")[-1], e.args
    e = raises(perf.error, "cycles/", perf.parse_events, "cycles/")
    lines = e.args[1].split("\n")
    assert lines[1] == "cycles/" and set(lines[2]) <= {" ", "^"} and "^" in lines[2], lines


@test
def cpu_maps_are_sequences():
    cpus = perf.cpu_map("0-3,5")
    assert list(cpus) == [0, 1, 2, 3, 5] and len(cpus) == 5 and cpus[-1] == 5 and cpus[0] == 0
    assert list(perf.cpu_map(cpustr="7")) == [7]
    for i in (5, -6):
        raises(IndexError, "Index out of range", lambda n=i: cpus[n])
    online = sorted(os.sched_getaffinity(0))
    assert set(online) <= set(perf.cpu_map()) and list(perf.cpu_map(None)) == list(perf.cpu_map())
    for wrong in ("x", "3-1", "1,,2", "-1"):
        e = raises(perf.error, "'%s' is not a list of CPUs such as '0-3,5'" % wrong, perf.cpu_map, wrong)
        assert e.errno == (errno.ERANGE if wrong == "3-1" else errno.EINVAL), (wrong, e.errno)
    assert list(perf.cpu_map("")) == []
    raises(TypeError, "", perf.cpu_map, 1)
    raises(TypeError, "", perf.cpu_map, "1", "2")
    cpus.__init__("4")
    assert list(cpus) == [4]
    raises(perf.error, "'y'", cpus.__init__, "y")
    assert list(cpus) == [4]


@test
def thread_maps_are_sequences():
    assert list(perf.thread_map()) == [-1] == list(perf.thread_map(-1, -1)) and len(perf.thread_map()) == 1
    me = perf.thread_map(os.getpid())
    assert list(me) == [os.getpid()] == list(perf.thread_map(tid=os.getpid())), list(me)
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        assert sorted(perf.thread_map(pid=os.getpid())) == sorted([os.getpid(), thread.native_id])
        assert list(perf.thread_map(tid=thread.native_id)) == [thread.native_id]
        assert os.getpid() in list(perf.thread_map(uid=os.getuid()))
    finally:
        done.set()
        thread.join()
    raises(IndexError, "Index out of range", lambda: me[1])
    for wrong in ({"pid": 2 ** 31 - 1}, {"tid": 2 ** 31 - 1}):
        raises(ProcessLookupError, "", perf.thread_map, **wrong)
    raises(TypeError, "", perf.thread_map, "x")
    raises(OverflowError, "", perf.thread_map, 2 ** 40)
    raises(TypeError, "", perf.thread_map, bogus=1)


@test
def counts_are_five_numbers():
    c = perf.counts_values()
    assert c.values == [0] * 5
    names = ("val", "ena", "run", "id", "lost")
    for i, name in enumerate(names):
        setattr(c, name, i + 1)
    assert c.values == [1, 2, 3, 4, 5] and [getattr(c, name) for name in names] == c.values
    assert repr(c) == "counts_values(val=1, ena=2, run=3)"
    c.values = [2 ** 64 - 1, 7]
    assert c.values == [2 ** 64 - 1, 7, 3, 4, 5]
    c.values = []
    c.values = [6, 7, 8, 9, 10, 11]
    assert c.values == [6, 7, 8, 9, 10]
    for name in names:
        raises(OverflowError, "", setattr, c, name, -1)
        raises(OverflowError, "", setattr, c, name, 2 ** 64)
        raises(TypeError, "", setattr, c, name, "x")
        raises(TypeError, "it cannot be deleted", delattr, c, name)
    for wrong in ((1, 2), None, 5):
        raises(TypeError, "Value assigned must be a list", setattr, c, "values", wrong)
    raises(TypeError, "Value assigned must be a list", delattr, c, "values")
    raises(TypeError, "", setattr, c, "values", [1, "x"])
    assert c.values == [1, 7, 8, 9, 10]  # the values up to the mistake


@test
def sessions_hand_out_every_record():
    got = {name: [] for name in ("sample", "mmap", "comm", "fork", "exit", "lost", "throttle", "context_switch")}
    s = perf.session(PATH, **{name: got[name].append for name in got})
    assert s.process_events() == 0
    assert {name: len(all) for name, all in got.items()} == {
        "sample": 4, "mmap": 1, "comm": 2, "fork": 1, "exit": 1, "lost": 1, "throttle": 2, "context_switch": 1}, got
    m = got["mmap"][0]
    assert (m.type, m.misc, m.pid, m.tid, m.start, m.len, m.pgoff, m.filename) == \
        (10, 2, 7, 7, 0x1000, 0x1000, 0x3000, "/bin/app")
    assert [(c.type, c.pid, c.tid, c.comm) for c in got["comm"]] == [(3, 7, 7, "one"), (3, 8, 9, "two")]
    for name, kind, time in (("fork", 7, 4), ("exit", 4, 5)):
        t = got[name][0]
        assert (t.type, t.pid, t.ppid, t.tid, t.ptid, t.time) == (kind, 20, 7, 21, 8, time), t
    assert (got["lost"][0].id, got["lost"][0].lost) == (3, 17)
    assert [(t.type, t.time, t.id, t.stream_id) for t in got["throttle"]] == [(5, 7, 31, 32), (6, 8, 33, 34)]
    w = got["context_switch"][0]
    assert (w.next_prev_pid, w.next_prev_tid, w.switch_out) == (40, 41, True)
    assert (w.sample_pid, w.sample_tid, w.sample_time, w.sample_cpu) == (7, 7, 9, 0)
    assert [(x.sample_ip, x.sample_pid, x.sample_tid, x.sample_time, x.sample_cpu, x.sample_period)
            for x in got["sample"]] == [(0x1100, 7, 7, 100, 0, 5), (0x1100, 7, 7, 200, 1, 6), (0x1300, 8, 8, 300, 2, 7),
                                        (0x9000, 8, 8, 400, 3, 2 ** 63)]
    x = got["sample"][0]
    assert (x.type, x.misc, x.sample_cpumode, x.comm, x.dso, x.symbol, x.brstack, x.raw_buf) == \
        (9, 2, 2, "one", "/bin/app", None, None, None)
    assert [n.ip for n in x.callchain] == [0x1100, 0x1200] and x.callchain[0].dso == "/bin/app"
    assert x.callchain[0].symbol is None and x.evsel.name == "cpu-clock:HG" and got["sample"][3].comm == ":8"
    raises(AttributeError, "nope", lambda: x.nope)
    assert s.find_thread(7).tid == 7 and s.find_thread(7).comm() == "one" and s.process(7).comm() == "one"
    raises(ValueError, "", s.find_thread, 12345)
    raises(TypeError, "", s.find_thread, "x")
    assert [e.name for e in s.events()] == ["cpu-clock:HG"]
    assert any("17" in note for note in s.notes), s.notes


@test
def system_calls_have_names_and_numbers():
    number = {"x86_64": 0, "aarch64": 63}[platform.machine()]
    assert perf.syscall_name(number) == "read" and perf.syscall_id("read") == number
    assert perf.syscall_name(id=number) == "read" and perf.syscall_id(name="read") == number
    assert perf.syscall_name(-1) is None and perf.syscall_name(2 ** 31 - 1) is None
    raises(ValueError, "there is no system call 'bogus'", perf.syscall_id, "bogus")
    raises(TypeError, "", perf.syscall_name, "read")
    raises(TypeError, "", perf.syscall_id, 0)
    raises(TypeError, "", perf.syscall_id)
    raises(OverflowError, "", perf.syscall_name, 2 ** 31)


@test
def events_are_parsed_by_name():
    events = perf.parse_events("task-clock,page-faults", perf.cpu_map("0"), perf.thread_map())
    assert len(events) == 2 and [e.name for e in events] == ["task-clock", "page-faults"]
    assert (events[0].type, events[0].config) == (1, 1) and (events[1].type, events[1].config) == (1, 2)
    assert list(events.all_cpus()) == [0] and list(events[1].threads()) == [-1] and events.metrics() == []
    raises(IndexError, "", lambda: events[2])
    raises(TypeError, "Unknown metric 'x' for CPU '1' and thread '2'", events.compute_metric, "x", 1, 2)
    raises(TypeError, "", events.compute_metric, "x")
    raises(TypeError, "", events.compute_metric, 1, 1, 2)
    raises(TypeError, "", perf.parse_events)
    raises(TypeError, "", perf.parse_events, 1)
    raises(TypeError, "", perf.parse_events, "task-clock", 1)
    raises(TypeError, "", perf.parse_events, "task-clock", None, 1)
    raises(TypeError, "", perf.parse_events, "task-clock", bogus=1)
    assert perf.tracepoint is not None
    raises(TypeError, "", perf.tracepoint, 1)


@test
def metrics_are_dictionaries():
    every = perf.metrics()
    for m in every:
        assert set(m) == {"MetricGroup", "MetricName", "PMU", "MetricExpr", "ScaleUnit", "BriefDescription"}, m
        assert isinstance(m["MetricGroup"], list) and "" not in m["MetricGroup"], m
        assert all(isinstance(m[k], str) for k in m if k != "MetricGroup") and m["PMU"] == "default_core", m
    assert len({m["MetricName"] for m in every}) == len(every) > 0
    raises(TypeError, "", perf.metrics, 1)
    e = raises(FileNotFoundError, "there is no metric or group 'bogus'", perf.parse_metrics, "bogus")
    assert e.errno == errno.ENOENT and e.args[1].split("\n")[-1] == "'perf list metric' shows what there is."
    raises(TypeError, "", perf.parse_metrics)
    raises(TypeError, "", perf.parse_metrics, 1)
    raises(TypeError, "", perf.parse_metrics, "bogus", 1)


# Samples with all fields that the first recording lacks, and without those it has: IDENTIFIER, IP, ADDR, STREAM_ID,
# RAW, BRANCH_STACK, WEIGHT, DATA_SRC, TRANSACTION, PHYS_ADDR, CGROUP, DATA_PAGE_SIZE, CODE_PAGE_SIZE.
RICH = 1 << 16 | IP | 8 | 0x200 | 0x400 | 0x800 | 1 << 14 | 1 << 15 | 1 << 17 | 1 << 19 | 1 << 21 | 1 << 22 | 1 << 23


def one_event(kind, config, sample_type, data, period=1000):
    """A recording of one event."""
    attr = struct.pack("<IIQQQQQ", kind, 128, config, period, sample_type, 0, 1 << 18)
    head = b"PERFILE2" + struct.pack("<QQQQQQ", 104, 144, 104, 144, 104 + 144, len(data))
    path = FOLDER + "/one.data"
    with open(path, "wb") as f:
        f.write(head.ljust(104, b"\0") + attr.ljust(128, b"\0") + struct.pack("<QQ", 0, 0) + data)
    return path


def samples_of(path, **how):
    got = []
    with perf.session(path, sample=got.append, **how) as s:
        assert s.process_events() == 0
    return got


@test
def samples_have_all_their_fields():
    branches = [(0x10, 0x20, 1 | 3 << 4), (0x30, 0x40, 2), (0x50, 0x60, 4 | 0xffff << 4), (0x70, 0x80, 8 | 1 << 20)]
    body = struct.pack("<QQQQ", 5, 0x1234, 0x5678, 77) + struct.pack("<I12s", 12, b"raw bytes!!!")
    body += struct.pack("<Q", len(branches)) + b"".join(struct.pack("<QQQ", *b) for b in branches)
    body += struct.pack("<QQQQQQQ", 81, 82, 83, 84, 85, 86, 87)
    x, = samples_of(one_event(1, 0, RICH, record(9, 1, body)))
    assert (x.sample_id, x.sample_ip, x.sample_addr, x.sample_stream_id) == (5, 0x1234, 0x5678, 77)
    assert (x.sample_weight, x.sample_data_src, x.sample_transaction, x.sample_phys_addr) == (81, 82, 83, 84)
    assert (x.sample_cgroup, x.sample_data_page_size, x.sample_code_page_size) == (85, 86, 87)
    assert x.raw_buf == b"raw bytes!!!" and x.sample_ins_latency == 0, x.raw_buf
    # Fields that are not recorded; the period is that of the event.
    assert (x.sample_pid, x.sample_tid, x.sample_time, x.sample_cpu) == (-1, -1, 2 ** 64 - 1, 2 ** 32 - 1)
    assert x.sample_period == 1000 and x.comm is None and x.callchain is None and x.symbol is None
    assert x.symoff is None and x.dso is None and x.sample_cpumode == 1 and x.misc == 1 and x.type == 9
    assert [(b.from_ip, b.to_ip) for b in x.brstack] == [b[:2] for b in branches]
    assert [(b.mispred, b.predicted, b.in_tx, b.abort) for b in x.brstack] == \
        [tuple(i == n for n in range(4)) for i in range(4)]
    assert [b.cycles for b in x.brstack] == [3, 0, 0xffff, 0]
    assert repr(x.brstack[0]) == "branch_entry(from_ip=16, to_ip=32)" and repr(x) == "{ type: sample }"
    raises(AttributeError, "no attribute 'next_pid'", lambda: x.next_pid)
    e = x.evsel
    assert (e.name, e.type, e.config, e.sample_period, e.sample_type) == ("cpu-clock:HG", 1, 0, 1000, RICH), e.name
    for name in ("sample_ip", "raw_buf", "brstack", "evsel", "comm"):
        raises(AttributeError, name, setattr, x, name, 1)


@test
def without_a_place_there_is_none():
    x, = samples_of(one_event(1, 0, IP | PERIOD, record(9, 2, struct.pack("<QQ", 0x99, 31))))
    assert (x.sample_id, x.sample_stream_id, x.sample_addr) == (2 ** 64 - 1, 2 ** 64 - 1, 0), x.sample_id
    assert x.sample_period == 31 and x.brstack is None and x.raw_buf is None and x.callchain is None
    nodes = samples_of(PATH)[0].callchain
    assert repr(nodes[0]) == "callchain_node(ip=4352, symbol=None, dso='/bin/app')" and nodes[0].symoff is None
    assert nodes[1].ip == 0x1200 and repr(perf.callchain_node()) == "callchain_node(ip=0, symbol=None, dso=None)"


def program():
    """Makes a program with the functions f at 0x400100 and g after it, 16 bytes each."""
    names = b"\0f\0g\0"
    symbols = bytes(24) + b"".join(struct.pack("<IBBHQQ", 1 + 2 * i, 0x12, 0, 1, 0x400100 + 16 * i, 16) for i in (0, 1))
    texts = b"\0.text\0.symtab\0.strtab\0"
    parts, at = [(b"\xc3" * 32, 0x100)], 0x120
    for part in (symbols, names, texts):
        parts.append((part, at))
        at += (len(part) + 7) // 8 * 8
    heads = [(0,) * 10, (1, 1, 6, 0x400100, 0x100, 32, 0, 0, 16, 0), (7, 2, 0, 0, parts[1][1], len(symbols), 3, 1, 8, 24),
             (15, 3, 0, 0, parts[2][1], len(names), 0, 0, 1, 0), (15, 3, 0, 0, parts[3][1], len(texts), 0, 0, 1, 0)]
    machine = {"x86_64": 62, "aarch64": 183}[platform.machine()]
    image = bytearray(at)
    image[:64] = b"\x7fELF\2\1\1".ljust(16, b"\0") + struct.pack("<HHIQQQIHHHHHH", 2, machine, 1, 0x400100, 64, at, 0, 64,
                                                                 56, 1, 64, len(heads), 4)
    image[64:120] = struct.pack("<IIQQQQQQ", 1, 5, 0, 0x400000, 0x400000, at, at, 0x1000)
    for part, where in parts:
        image[where:where + len(part)] = part
    path = FOLDER + "/program"
    with open(path, "wb") as f:
        f.write(bytes(image) + b"".join(struct.pack("<IIQQQQIIQQ", *h) for h in heads))
    return path


@test
def places_have_functions():
    path = program()
    data = record(3, 0, struct.pack("<II", 7, 7) + padded(b"one"), 1)
    data += record(10, 2, struct.pack("<IIQQQIIQQII", 7, 7, 0x400000, 0x1000, 0, 0, 0, 0, 0, 5, 2) +
                   padded(path.encode()), 3)
    data += sample(100, 7, 0, 5, 0x400104, 0x400110, 0x400115, 0x400200) + sample(200, 7, 0, 5, 0x40011f)
    got = samples_of(one_event(1, 0, IP | TID | TIME | CPU | PERIOD | CALLCHAIN, data))
    assert [(x.symbol, x.symoff, x.dso) for x in got] == [("f", 4, path), ("g", 15, path)], \
        [(x.symbol, x.symoff, x.dso) for x in got]
    # A return address at the start of g belongs to a call at the end of f.
    assert [(n.ip, n.symbol, n.symoff, n.dso) for n in got[0].callchain] == [
        (0x400104, "f", 4, path), (0x400110, "f", 16, path), (0x400115, "g", 5, path), (0x400200, None, None, path)], \
        [(n.ip, n.symbol, n.symoff, n.dso) for n in got[0].callchain]
    assert len(samples_of(FOLDER + "/one.data", symbol="g")) == 1 and len(samples_of(FOLDER + "/one.data", dso="program")) == 2
    table = perf.columns(FOLDER + "/one.data", ["symbol", "symoff", "callchain_symbol"])
    assert table["symbol"].tolist() == ["f", "g"] and table["symoff"].tolist() == [4, 15]
    assert table["callchain_symbol"].tolist() == [["f", "f", "g", None], ["g"]], table["callchain_symbol"].tolist()


@test
def events_of_a_recording_have_names():
    data = record(9, 2, struct.pack("<Q", 1))
    for kind, config, name, pmu in ((0, 1, "instructions", "cpu"), (1, 4, "cpu-migrations", "software"),
                                    (4, 0x1a8, "raw 0x1a8", "cpu"), (5, 0, "mem:0x0", "breakpoint"),
                                    (2, 7, "unknown tracepoint", "tracepoint"), (6, 0, "unknown", "6"),
                                    (98765, 0, "unknown", "98765")):
        x, = samples_of(one_event(kind, config, IP, data))
        assert x.evsel.name.startswith(name) and repr(x.evsel).startswith("evsel(%s/" % pmu), repr(x.evsel)
        assert x.evsel.type == kind and x.evsel.config == config and x.evsel.scale == 1 and x.evsel.unit == ""


@test
def records_have_texts():
    got = {name: [] for name in ("mmap", "comm", "fork", "exit", "lost", "throttle", "context_switch")}
    perf.session(PATH, **{name: got[name].append for name in got}).process_events()
    assert [repr(r) for all in got.values() for r in all] == [
        "{ type: mmap, pid: 7, tid: 7, start: 0x1000, length: 0x1000, offset: 0x3000, filename: /bin/app }",
        "{ type: comm, pid: 7, tid: 7, comm: one }", "{ type: comm, pid: 8, tid: 9, comm: two }",
        "{ type: fork, pid: 20, ppid: 7, tid: 21, ptid: 8, time: 4}",
        "{ type: exit, pid: 20, ppid: 7, tid: 21, ptid: 8, time: 5}", "{ type: lost, id: 0x3, lost: 0x11 }",
        "{ type: throttle, time: 7, id: 31, stream_id: 32 }", "{ type: unthrottle, time: 8, id: 33, stream_id: 34 }",
        "{ type: context_switch, next_prev_pid: 40, next_prev_tid: 41, switch_out: 1 }"]
    m = got["mmap"][0]
    assert (m.sample_pid, m.sample_tid, m.sample_time, m.sample_cpu) == (7, 7, 3, 0)
    assert (m.sample_id, m.sample_stream_id, m.sample_ip, m.sample_period) == (2 ** 64 - 1, 2 ** 64 - 1, 0, 0)
    assert repr(perf.switch_event()).endswith("switch_out: 0 }") and perf.switch_event().switch_out is False


@test
def sessions_are_opened_closed_and_read_once():
    s = perf.session(PATH)
    assert s.process_events() == 0
    s.close()
    s.close()
    for use in (s.process_events, s.events, lambda: s.find_thread(7), lambda: s.process(7)):
        raises(ValueError, "the session is closed", use)
    again = []

    def reads(_):
        again.append(raises(ValueError, "the session is being read", box[0].process_events))
    box = [perf.session(PATH, lost=reads)]
    assert box[0].process_events() == 0 and len(again) == 1
    x = samples_of(PATH)[3]
    gc.collect()
    assert x.callchain[0].ip == 0x9000 and x.comm == ":8"  # a sample keeps the recording alive
    with open(PATH, "rb") as f:
        assert len(samples_of(perf.data(fd=f.fileno()))) == 4
    assert len(samples_of(perf.data(PATH))) == 4 and len(samples_of(perf.data(path=pathlib.Path(PATH)))) == 4
    os.chdir(FOLDER)
    raises(FileNotFoundError, "perf.data", perf.session, perf.data())
    raises(FileNotFoundError, "perf.data", perf.session, perf.data(None))
    raises(TypeError, "", perf.data, 5)
    raises(TypeError, "", perf.data, PATH, "x")
    raises(TypeError, "", perf.session, PATH, sample=1)


@test
def sessions_choose_samples():
    def times_of(**how):
        return [x.sample_time for x in samples_of(PATH, **how)]
    assert times_of(pid=7) == [100, 200] and times_of(tid=8) == [300, 400] and times_of(pid=9) == []
    assert times_of(comm="one") == [100, 200] and times_of(comm="x") == [] and times_of(cpu=[1, 2]) == [200, 300]
    assert times_of(dso="app") == [100, 200] and times_of(dso="x") == [] and times_of(symbol="x") == []
    assert times_of(time=(200, 300)) == [200, 300] and times_of(pid=7, dso="app", cpu=1) == [200]


@test
def evsels_have_attributes():
    e = perf.evsel()
    assert (e.type, e.config, e.sample_period, e.sample_type, e.read_format, e.wakeup_events) == (0, 0, 0, 0x102, 0, 0)
    assert e.size >= 136 and e.tracking is True and (e.name, e.unit, e.scale) == ("cycles", "", 1.0)
    assert repr(e) == "evsel(cpu/cycles/)" and list(e.cpus()) == [-1] and list(e.threads()) == [-1]
    for args, text in (((1, 1), "software/task-clock/"), ((1, 9), "software/dummy/"), ((4, 0x1a8), "cpu/raw 0x1a8/"),
                       ((3, 1), "cpu/L1-icache-loads/"), ((2, 5), "tracepoint/unknown tracepoint/"),
                       ((5,), "breakpoint/mem/"), ((98765,), "98765/unknown attr type/")):
        assert repr(perf.evsel(*args)) == "evsel(%s)" % text, repr(perf.evsel(*args))
    e = perf.evsel(1, 9, 0, 7, 0x3, 5, wakeup_events=11, idx=4)
    assert (e.type, e.config, e.sample_period, e.sample_type, e.read_format, e.wakeup_events) == (1, 9, 7, 3, 5, 11)
    assert perf.evsel(sample_freq=99).sample_period == 99 and perf.evsel(config=-1).config == 2 ** 64 - 1
    for i, name in enumerate(("type", "size", "config", "sample_period", "sample_type", "read_format", "wakeup_events")):
        setattr(e, name, 100 + i)
        assert getattr(e, name) == 100 + i
        raises(TypeError, "it cannot be deleted", delattr, e, name)
        raises(TypeError, "", setattr, e, name, "x")
        raises(OverflowError, "", setattr, e, name, -1)
    assert [e.type, e.size, e.config, e.sample_period, e.sample_type, e.read_format, e.wakeup_events] == \
        list(range(100, 107))
    e.tracking = 0
    assert e.tracking is False
    e.tracking = "yes"
    assert e.tracking is True
    raises(TypeError, "it cannot be deleted", delattr, e, "tracking")
    for name in ("name", "unit", "scale"):
        raises(AttributeError, name, setattr, e, name, 1)
    raises(TypeError, "this function got an unexpected keyword argument 'bogus'", perf.evsel, bogus=1)
    raises(TypeError, "too many arguments", perf.evsel, *range(44))
    assert perf.evsel(*([1] * 43)).type == 1
    raises(TypeError, "", perf.evsel, "x")
    e.__init__(1, 1)
    assert e.name == "task-clock" and e.sample_period == 0 and e.tracking is True


@test
def evsels_that_are_not_open_cannot_be_read():
    e = perf.evsel(1, 9)
    x = raises(OSError, "the event 'dummy' is not open", e.read, 0, 0)
    assert x.errno == errno.EBADF
    raises(TypeError, "", e.read)
    raises(TypeError, "", e.read, "x", 0)
    for wrong in ({"cpus": 1}, {"threads": 1}, {"cpus": perf.thread_map()}, {"threads": perf.cpu_map("0")}):
        raises(TypeError, "cpus must be a cpu_map and threads a thread_map", e.open, **wrong)
    raises(TypeError, "", e.open, bogus=1)
    x = raises(FileNotFoundError, "no-such", lambda: perf.parse_events("no-such-event"))
    assert x.errno == errno.ENOENT


def own_dummy(**words):
    """Opens an event of this thread that counts nothing; None: the kernel allows none."""
    e = perf.evsel(1, 9, **words)
    try:
        e.open(threads=perf.thread_map(tid=os.getpid()))
    except OSError as x:
        print("# no events are opened:", x)
        return None
    return e


@test
def counts_are_read_in_their_order():
    plain = own_dummy()
    if plain is None:
        return
    me = os.getpid()
    assert plain.read(-1, me).values == [0] * 5 and list(plain.threads()) == [me] and list(plain.cpus()) == [-1]
    ids = set()
    for words, there in ((1, (1,)), (2, (2,)), (4, (3,)), (3, (1, 2)), (7, (1, 2, 3)), (15, (1, 2, 3)), (12, (3,))):
        e = own_dummy(read_format=words)
        values = e.read(cpu=-1, thread=me).values
        assert [i for i in range(5) if values[i]] == list(there), (words, values)
        if 1 in there and 2 in there:
            assert values[1] == values[2], values
        ids.add(values[3])
    assert len(ids - {0}) == 4
    raises(TypeError, "CPU 0 is not part of evsel's CPUs", plain.read, 0, me)
    raises(TypeError, "Thread 5 is not part of evsel's threads", plain.read, -1, 5)
    raises(TypeError, "CPU 3 is not part of evsel's CPUs", plain.read, 3, 5)


@test
def evlists_are_lists_of_evsels():
    cpus, threads = perf.cpu_map("0"), perf.thread_map()
    events = perf.evlist(cpus, threads)
    assert repr(events) == "evlist([])" and len(events) == 0 and events.get_pollfd() == [] and events.poll(0) == 0
    assert events.all_cpus() is cpus and events.metrics() == []
    raises(ValueError, "there is nothing to wait for: mmap() comes first", events.poll)
    raises(TypeError, "Unknown CPU '3'", events.read_on_cpu, 3)
    raises(TypeError, "", events.read_on_cpu)
    one, two = perf.evsel(1, 9), perf.evsel(1, 1)
    assert events.add(one) == 1 and events.add(two) == 2 and len(events) == 2
    assert events[0] is one and events[1] is two and events[-1] is two and one.tracking and not two.tracking
    assert repr(events) == "evlist([software/dummy/,software/task-clock/])"
    for i in (2, -3):
        raises(IndexError, "Index out of range", lambda n=i: events[n])
    raises(TypeError, "argument 1 must be perf.evsel, not <class 'int'>", events.add, 1)
    for pages in (0, 3, -2, 6):
        raises(ValueError, "pages must be a power of two", events.mmap, pages=pages)
    raises(ValueError, "rings that the kernel overwrites cannot be read", events.mmap, overwrite=1)
    assert raises(OSError, "the event 'dummy' is not open", events.mmap).errno == errno.EBADF
    raises(TypeError, "", events.mmap, "x")
    assert events.enable() is None and events.disable() is None and events.close() is None  # no open events
    raises(TypeError, "takes exactly 2 arguments", perf.evlist)
    raises(TypeError, "argument 1 must be perf.cpu_map, not int", perf.evlist, 1, threads)
    raises(TypeError, "argument 2 must be perf.thread_map, not", perf.evlist, cpus, cpus)
    raises(TypeError, "evlist() takes no keyword arguments", perf.evlist, cpus=cpus)
    bare = perf.evlist.__new__(perf.evlist)
    raises(ValueError, "evlist.__init__() was not called", bare.add, one)
    raises(ValueError, "evlist.__init__() was not called", bare.config)
    assert bare.all_cpus() is None and len(bare) == 0 and bare.open() is None
    raises(TypeError, "a cpu_map is needed, not <class 'int'>", perf.parse_events, "dummy", 1)
    raises(TypeError, "a thread_map is needed, not <class 'int'>", perf.parse_events, "dummy", None, 1)
    events.__init__(cpus, threads)
    assert len(events) == 0


@test
def config_asks_for_what_record_asks_for():
    events = perf.parse_events("cpu-clock,page-faults", perf.cpu_map("0"), perf.thread_map())
    assert [e.read_format & 3 for e in events] == [3, 3] and [e.tracking for e in events] == [True, False]
    assert events.config() is None
    # IP, TID, TIME, CPU, PERIOD and IDENTIFIER of both; 4000 a second.
    for e in events:
        assert e.sample_type & 0x187 == 0x187 and e.sample_period == 4000 and e.size >= 136, (hex(e.sample_type))
    assert events[0].sample_type & 1 << 16 or events[0].sample_type & 0x40
    own = perf.evlist(perf.cpu_map("0"), perf.thread_map())
    own.add(perf.evsel(1, 0, sample_period=12345))
    own.config()
    assert own[0].sample_period == 12345 and own[0].sample_type & IP


@test
def rings_are_read_by_cpu():
    events = perf.parse_events("dummy", perf.cpu_map("0"), perf.thread_map(tid=os.getpid()))
    try:
        events.open()
    except OSError as x:
        print("# no events are opened:", x)
        return
    assert list(events[0].cpus()) == [0] and list(events[0].threads()) == [os.getpid()]
    events.mmap(pages=1)
    assert len(events.get_pollfd()) == 1 and events.poll(timeout=0) == 0 and events.read_on_cpu(0) is None
    raises(TypeError, "Unknown CPU '4095'", events.read_on_cpu, 4095)
    assert events[0].read(0, os.getpid()).val == 0
    events.enable()
    events.disable()
    events.close()
    assert raises(OSError, "is not open", events[0].read, 0, os.getpid()).errno == errno.EBADF
    assert events.get_pollfd() == []
    group = perf.parse_events("{dummy,task-clock}", perf.cpu_map("0"), perf.thread_map(tid=os.getpid()))
    group.open(group=1, inherit=0)
    assert group[1].read(0, os.getpid()).val == 0
    group.close()


@test
def a_wait_for_records_hears_signals():
    """A handler runs while no records come. An exception from it ends the wait; without a limit, nothing else does."""
    events = perf.parse_events("dummy", perf.cpu_map("0"), perf.thread_map(tid=os.getpid()))
    try:
        events.open()
    except OSError as x:
        print("# no events are opened:", x)
        return
    events.mmap(pages=1)
    heard = []

    def handler(number, frame):
        heard.append(number)
        if len(heard) == 3:
            raise RuntimeError("three")

    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        begin = time.monotonic()
        assert events.poll(timeout=60000) == 0 and len(heard) == 1 and time.monotonic() - begin < 50
        signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
        raises(RuntimeError, "three", events.poll)
        assert len(heard) == 3
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        events.close()


@test
def records_of_several_events_are_told_apart():
    """With two sampling events, each record has an id, though none was requested."""
    threads = perf.thread_map(tid=os.getpid())
    events = perf.evlist(perf.cpu_map("0"), threads)
    for config in (2, 9):
        events.add(perf.evsel(1, config, sample_period=1, sample_type=IP | TID, wakeup_events=1, sample_id_all=1, comm=1,
                              task=1, disabled=1))
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {0})
        events.open()
    except OSError as x:
        print("# no events are opened:", x)
        return
    finally:
        os.sched_setaffinity(0, before)
    assert [hex(e.sample_type) for e in events] == [hex(IP | TID | 1 << 16)] * 2
    events.mmap(pages=8)
    assert len(events.get_pollfd()) == 1  # both share a ring
    os.sched_setaffinity(0, {0})
    events.enable()
    bytearray(1 << 22)
    events.disable()
    os.sched_setaffinity(0, before)
    assert events.poll(timeout=1000) == 1
    got = []
    while True:
        r = events.read_on_cpu(0)
        if r is None:
            break
        got.append(r)
    assert got and all(isinstance(r, perf.sample_event) and r.evsel is events[0] for r in got), got[:3]
    assert all(r.sample_pid == os.getpid() and r.sample_id == got[0].sample_id > 0 for r in got)
    assert all(r.sample_period == 1 and r.sample_time == 2 ** 64 - 1 and r.comm is None for r in got)
    events.close()
    alone = perf.evlist(perf.cpu_map("0"), threads)
    alone.add(perf.evsel(1, 2, sample_period=1, sample_type=IP | TID))
    alone.open()
    assert alone[0].sample_type == IP | TID
    alone.close()


@test
def metrics_are_computed_of_counts():
    events = perf.parse_metrics("context_switch_rate,page_fault_rate", None, perf.thread_map(tid=os.getpid()))
    assert events.metrics() == ["context_switch_rate", "page_fault_rate"], events.metrics()
    # An event that both need occurs once.
    assert [e.name for e in events] == ["context-switches", "task-clock", "page-faults"], [e.name for e in events]
    assert len(perf.parse_metrics("context_switch_rate")) == 2
    raises(TypeError, "Unknown metric 'x' for CPU '0' and thread '1'", events.compute_metric, "x", 0, 1)
    x = raises(OSError, "is not open", events.compute_metric, "page_fault_rate", events.all_cpus()[0], os.getpid())
    assert x.errno == errno.EBADF
    try:
        events.open()
    except OSError as e:
        print("# no events are opened:", e)
        return
    events.enable()
    pages = bytearray(1 << 24)
    sum(range(200000))
    events.disable()
    del pages
    for cpu in events.all_cpus():
        faults, clock = (events[i].read(cpu, os.getpid()).val for i in (2, 1))
        rate = events.compute_metric("page_fault_rate", cpu, os.getpid())
        assert rate == (0 if not clock else rate) and isinstance(rate, float)
        if clock:
            # If an event did not run all the time, the metric has an estimate of its count.
            assert abs(rate - 1e9 * faults / clock) <= 1e-2 * rate, (rate, faults, clock)
    raises(TypeError, "CPU 4095 is not part of evsel's CPUs", events.compute_metric, "page_fault_rate", 4095, os.getpid())
    events.close()


@test
def pmus_have_events():
    pmus = {p.name(): p for p in perf.pmus()}
    assert list(pmus)[0] == "tool" and {"software", "tracepoint", "breakpoint"} <= set(pmus), list(pmus)
    assert repr(pmus["tool"]) == "pmu(tool)" and str(pmus["tool"]) == "tool"
    assert repr(perf.pmu()) == "pmu()" and perf.pmu().name() is None and perf.pmu().events() == []
    tool, software = ({e["name"]: e for e in pmus[name].events()} for name in ("tool", "software"))
    assert {"duration_time", "user_time", "system_time"} <= set(tool) and "task-clock" not in tool
    assert {"task-clock", "page-faults", "dummy"} <= set(software) and "duration_time" not in software
    assert tool["duration_time"] == {
        "name": "duration_time", "desc": "Time that passed, in nanoseconds", "encoding_desc": "tool/config=0x1/",
        "topic": "tool", "event_type_desc": "Tool event"}, tool["duration_time"]
    assert software["page-faults"]["encoding_desc"] == "software/config=0x2/"
    assert all(e["event_type_desc"] == "Software event" for e in software.values())
    assert all(isinstance(v, str) for e in software.values() for v in e.values())
    raises(TypeError, "", perf.pmus, 1)


@test
def tracepoints_have_numbers():
    try:
        number = perf.tracepoint("sched", "sched_switch")
    except OSError as e:
        print("# tracefs cannot be read:", e)
        return
    with open([p for p in ("/sys/kernel/tracing/events/sched/sched_switch/id",
                           "/sys/kernel/debug/tracing/events/sched/sched_switch/id") if os.path.exists(p)][0]) as f:
        assert number == int(f.read()) == perf.tracepoint(sys="sched", name="sched_switch")
    assert perf.tracepoint("sched", "nope") == -1 == perf.tracepoint("nope", "x") == perf.tracepoint("sched")
    assert perf.tracepoint() == -1 and perf.tracepoint(name="sched_switch") == -1


class ArrowSchema(ctypes.Structure):
    pass


class ArrowArray(ctypes.Structure):
    pass


class ArrowStream(ctypes.Structure):
    pass


SCHEMA, ARRAY, STREAM = (ctypes.POINTER(kind) for kind in (ArrowSchema, ArrowArray, ArrowStream))
ArrowSchema._fields_ = [
    ("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p), ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64), ("children", ctypes.POINTER(SCHEMA)), ("dictionary", SCHEMA),
    ("release", ctypes.CFUNCTYPE(None, SCHEMA)), ("private_data", ctypes.c_void_p)]
ArrowArray._fields_ = [
    ("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64), ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64), ("buffers", ctypes.POINTER(ctypes.c_void_p)), ("children", ctypes.POINTER(ARRAY)),
    ("dictionary", ARRAY), ("release", ctypes.CFUNCTYPE(None, ARRAY)), ("private_data", ctypes.c_void_p)]
ArrowStream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, STREAM, SCHEMA)),
    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, STREAM, ARRAY)),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, STREAM)), ("release", ctypes.CFUNCTYPE(None, STREAM)),
    ("private_data", ctypes.c_void_p)]


def inside(capsule, name, kind):
    """Returns the struct in a capsule."""
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    return ctypes.cast(pointer(capsule, name), kind).contents


def numbers(address, form, n):
    return list(struct.unpack("=%d%s" % (n, form), ctypes.string_at(address, n * struct.calcsize(form))))


@test
def arrow_sees_what_python_sees():
    table = columns("time", "comm", "callchain", "addr", "callchain_dso")
    capsules = table.__arrow_c_array__()
    schema, array = inside(capsules[0], b"arrow_schema", SCHEMA), inside(capsules[1], b"arrow_array", ARRAY)
    assert (schema.format, schema.n_children, array.length, array.n_children, array.offset) == (b"+s", 5, 4, 5, 0)
    kinds = [schema.children[i].contents for i in range(5)]
    parts = [array.children[i].contents for i in range(5)]
    assert [k.name for k in kinds] == [b"time", b"comm", b"callchain", b"addr", b"callchain_dso"]
    assert [k.format for k in kinds] == [b"L", b"i", b"+L", b"L", b"+L"]
    assert kinds[1].dictionary.contents.format == b"u" and kinds[2].children[0].contents.format == b"L"
    assert kinds[4].children[0].contents.dictionary.contents.format == b"u" and not kinds[0].dictionary
    assert [k.n_children for k in kinds] == [0, 0, 1, 0, 1]
    assert [p.null_count for p in parts] == [0, 0, 0, 4, 0] and all(p.length == 4 for p in parts)
    assert numbers(parts[0].buffers[1], "Q", 4) == [100, 200, 300, 400] and not parts[0].buffers[0]
    assert numbers(parts[1].buffers[1], "i", 4) == [0, 0, 1, 1] and parts[3].buffers[0]
    names = parts[1].dictionary.contents
    assert names.length == 2 and numbers(names.buffers[1], "i", 3) == [0, 3, 5]
    assert ctypes.string_at(names.buffers[2], 5) == b"one:8"
    assert numbers(parts[2].buffers[1], "q", 5) == [0, 2, 3, 4, 7]
    ips = parts[2].children[0].contents
    assert ips.length == 7 and numbers(ips.buffers[1], "Q", 7) == [0x1100, 0x1200, 0x1100, 0x1300, 0x9000, 0x1100, 0x1200]
    assert [p.n_buffers for p in parts] == [2, 2, 2, 2, 2] and names.n_buffers == 3
    # The consumer releases it, once; after that the capsules leave it alone.
    del table
    gc.collect()
    assert numbers(parts[0].buffers[1], "Q", 4) == [100, 200, 300, 400]
    for o in (schema, array):
        o.release(ctypes.byref(o))
        assert not o.release
    del capsules, schema, array, kinds, parts, names, ips
    gc.collect()


@test
def arrow_takes_a_stream_of_one_batch():
    capsule = columns("time").__arrow_c_stream__()
    stream = inside(capsule, b"arrow_array_stream", STREAM)
    schema, array = ArrowSchema(), ArrowArray()
    assert stream.get_schema(ctypes.byref(stream), ctypes.byref(schema)) == 0 and schema.n_children == 1
    assert stream.get_next(ctypes.byref(stream), ctypes.byref(array)) == 0 and array.length == 4 and array.release
    array.release(ctypes.byref(array))
    # The end is marked by a released array.
    end = ArrowArray()
    assert stream.get_next(ctypes.byref(stream), ctypes.byref(end)) == 0 and not end.release
    assert stream.get_last_error(ctypes.byref(stream)) is None
    schema.release(ctypes.byref(schema))
    stream.release(ctypes.byref(stream))
    assert not stream.release
    del capsule, stream
    gc.collect()
    column = columns("time")["time"].__arrow_c_array__()
    assert inside(column[0], b"arrow_schema", SCHEMA).format == b"L"
    assert inside(column[1], b"arrow_array", ARRAY).length == 4
    capsule = columns("time").__arrow_c_schema__()
    assert inside(capsule, b"arrow_schema", SCHEMA).format == b"+s"


def main():
    with open(PATH, "wb") as f:
        f.write(recording())
    failed = 0
    for function in TESTS:
        try:
            function()
        except BaseException:
            failed += 1
            print("FAILED:", function.__name__.replace("_", " "))
            traceback.print_exc(file=sys.stdout)
        sys.stdout.flush()
    print("%s: %d of %d tests passed" % (sys.version.split()[0], len(TESTS) - failed, len(TESTS)))
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
