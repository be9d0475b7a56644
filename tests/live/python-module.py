#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Tests of the module perf: python-module.py TOP FOLDER, with recordings in FOLDER. Prints failures.
"""
import array
import ast
import ctypes
import gc
import os
import signal
import struct
import subprocess
import sys
import threading
import traceback
import weakref

import perf

TOP, FOLDER = sys.argv[1:3]
STACKS = FOLDER + "/stacks.data"
SWITCHES = FOLDER + "/switches.data"
TESTS = []


def test(function):
    TESTS.append(function)
    return function


def raises(kind, function, *args, **kwargs):
    try:
        function(*args, **kwargs)
    except kind as e:
        assert str(e), "an error says nothing"
        return e
    raise AssertionError("nothing was raised: %r %r" % (args, kwargs))


# The contents of 6.1's module: types with their attributes, functions, and constants.
SAMPLE = ("sample_ip sample_pid sample_tid sample_time sample_addr sample_id sample_stream_id "
          "sample_period sample_cpu")
OLD_TYPES = {
    "comm_event": SAMPLE + " comm pid tid type",
    "cpu_map": "__getitem__ __len__",
    "evlist": "add get_pollfd mmap open poll read_on_cpu __getitem__ __len__",
    "evsel": "open",
    "lost_event": SAMPLE + " id lost",
    "mmap_event": SAMPLE + " filename len misc pgoff pid start tid type",
    "read_event": SAMPLE + " pid tid",
    "sample_event": SAMPLE + " type",
    "switch_event": SAMPLE + " next_prev_pid next_prev_tid type",
    "task_event": SAMPLE + " pid ppid ptid tid time type",
    "thread_map": "__getitem__ __len__",
    "throttle_event": SAMPLE + " id stream_id time type",
}


@test
def everything_that_programs_name_is_there():
    for name, attributes in OLD_TYPES.items():
        for attribute in attributes.split():
            assert hasattr(getattr(perf, name), attribute), (name, attribute)
    assert perf.TYPE_TRACEPOINT == 2 and perf.COUNT_SW_DUMMY == 9 and perf.SAMPLE_RAW == 1024
    assert perf.RECORD_MISC_SWITCH_OUT == 8192 and perf.FORMAT_GROUP == 8


def stub_names():
    """Returns the names of the stub, and of its classes with their members; members of a base class count for the
    class.
    """
    names, classes, bases = set(), {}, {}
    for node in ast.parse(open(TOP + "/python/perf.pyi").read()).body:
        if isinstance(node, ast.ClassDef):
            members = set()
            for item in node.body:
                if isinstance(item, ast.FunctionDef):
                    members.add(item.name)
                elif isinstance(item, ast.AnnAssign):
                    members.add(item.target.id)
            classes[node.name] = members
            bases[node.name] = [b.id for b in node.bases]
            names.add(node.name)
        elif isinstance(node, ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.AnnAssign):
            names.add(node.target.id)
        elif isinstance(node, ast.Assign):
            names.add(node.targets[0].id)
    for name, its in bases.items():
        for base in its:
            classes[name] |= classes.get(base, set())
    return {n for n in names if not n.startswith("_")}, classes


@test
def the_stub_and_the_module_have_the_same_names():
    names, classes = stub_names()
    there = {n for n in dir(perf) if not n.startswith("_")}
    assert names == there, names ^ there
    ours = {"__arrow_c_schema__", "__arrow_c_array__", "__arrow_c_stream__", "__array_interface__"}
    for name in names:
        of = getattr(perf, name)
        if not isinstance(of, type) or name in ("error", "switch_event"):
            continue
        public = {m for m in vars(of) if not m.startswith("_") or m in ours}
        stub = {m for m in classes[name] if not m.startswith("_") or m in ours}
        assert public == stub, (name, public ^ stub)


@test
def records_without_a_recording_are_empty():
    assert repr(perf.task_event()) == "{ type: exit, pid: 0, ppid: 0, tid: 0, ptid: 0, time: 0}"
    assert repr(perf.comm_event()) == "{ type: comm, pid: 0, tid: 0, comm:  }"
    assert repr(perf.mmap_event()) == \
        "{ type: mmap, pid: 0, tid: 0, start: 0, length: 0, offset: 0, filename:  }"
    assert repr(perf.throttle_event()) == "{ type: unthrottle, time: 0, id: 0, stream_id: 0 }"
    for name in stub_names()[1]:
        kind = getattr(perf, name, None)
        if kind is None or name in ("error", "table", "column", "buffer", "evlist", "session"):
            continue
        o = kind()
        repr(o)
        for attribute in dir(o):
            getattr(o, attribute)


@test
def maps_are_sequences():
    cpus = perf.cpu_map()
    assert list(cpus) == sorted(cpus) and len(cpus) >= 1 and cpus[-1] == list(cpus)[-1]
    assert list(perf.cpu_map("0")) == [0]
    raises(IndexError, lambda: cpus[len(cpus)])
    raises(ValueError, perf.cpu_map, "x")
    raises(TypeError, perf.cpu_map, 3)
    assert list(perf.thread_map()) == [-1]
    assert os.getpid() in perf.thread_map(os.getpid())
    raises(OSError, perf.thread_map, 2 ** 22 + 5)


def dummy(**more):
    return perf.evsel(type=perf.TYPE_SOFTWARE, config=perf.COUNT_SW_DUMMY, task=1, comm=1, mmap=1, freq=0,
                      wakeup_events=1, watermark=1, sample_id_all=1,
                      sample_type=perf.SAMPLE_PERIOD | perf.SAMPLE_TID | perf.SAMPLE_CPU, **more)


@test
def tasks_are_seen_as_they_begin_and_end():
    cpus, threads = perf.cpu_map(), perf.thread_map(-1)
    event = dummy()
    event.open(cpus=cpus, threads=threads)
    events = perf.evlist(cpus, threads)
    assert events.add(event) == 1 and events[0] is event and len(events) == 1
    events.mmap()
    assert len(events.get_pollfd()) == len(cpus)
    child = subprocess.Popen(["/bin/true"])
    child.wait()
    seen = []
    while events.poll(timeout=2000) > 0:
        for cpu in cpus:
            while True:
                record = events.read_on_cpu(cpu)
                if record is None:
                    break
                seen.append(record)
        if any(isinstance(r, perf.task_event) and r.type == perf.RECORD_EXIT and r.pid == child.pid
               for r in seen):
            break
    mine = [r for r in seen if r.sample_pid == child.pid]
    assert any(isinstance(r, perf.comm_event) and r.comm == "true" for r in mine), mine
    assert any(isinstance(r, perf.mmap_event) and r.filename.endswith("true") for r in mine), mine
    assert any(isinstance(r, perf.task_event) and r.type == perf.RECORD_FORK and r.pid == child.pid
               and r.ppid == os.getpid() for r in seen), seen
    assert all(r.sample_time == 2 ** 64 - 1 and r.sample_cpu in cpus for r in seen)
    raises(TypeError, events.read_on_cpu, 4096)
    raises(TypeError, events.add, 1)
    raises(IndexError, lambda: events[1])


@test
def tracepoints_have_their_fields():
    try:
        config = perf.tracepoint("sched", "sched_switch")
    except OSError as e:
        print("# tracepoints are left out:", e)
        return
    assert config > 0 and perf.tracepoint("sched", "nope") < 0
    cpus, threads = perf.cpu_map(), perf.thread_map(-1)
    event = perf.evsel(type=perf.TYPE_TRACEPOINT, config=config, freq=0, sample_period=1, wakeup_events=1,
                       sample_id_all=1,
                       sample_type=perf.SAMPLE_TID | perf.SAMPLE_CPU | perf.SAMPLE_RAW | perf.SAMPLE_TIME)
    event.open(cpus=cpus, threads=threads)
    events = perf.evlist(cpus, threads)
    events.add(event)
    events.mmap(pages=16)
    record = None
    while record is None:
        events.poll(timeout=100)
        for cpu in cpus:
            record = record or events.read_on_cpu(cpu)
    assert isinstance(record, perf.sample_event) and record.evsel is event
    assert record.common_type == config and isinstance(record.prev_comm, str)
    assert isinstance(record.next_pid, int) and len(record.raw_buf) > 8
    raises(AttributeError, lambda: record.nope)


@test
def events_are_named_counted_and_read():
    here = perf.thread_map(os.getpid())
    events = perf.parse_events("task-clock,{page-faults,context-switches}:u", perf.cpu_map("0"), here)
    assert str(events).startswith("evlist([software/task-clock/,software/page-faults"), str(events)
    anywhere = perf.parse_events("task-clock", None, here)
    assert anywhere[0].name == "task-clock" and list(anywhere[0].threads()) == list(here)
    anywhere.open()
    anywhere.enable()
    sum(range(1000000))
    anywhere.disable()
    total = sum(anywhere[0].read(cpu, here[0]).val for cpu in anywhere.all_cpus())
    assert total > 0
    count = anywhere[0].read(0, here[0])
    assert count.values == [count.val, count.ena, count.run, count.id, count.lost]
    raises(TypeError, anywhere[0].read, 4096, here[0])
    raises(TypeError, anywhere[0].read, 0, 12345678)
    anywhere.close()
    raises(OSError, anywhere[0].read, 0, here[0])
    raises(OSError, perf.parse_events, "bogus-event")
    raises(ValueError, perf.parse_events, "cycles/")
    raises(OSError, perf.evsel(type=99999).open, cpus=perf.cpu_map(), threads=perf.thread_map(-1))
    raises(TypeError, perf.evsel, bogus=1)
    raises(TypeError, perf.evsel(type=1).open, cpus=1)


@test
def config_makes_events_sample():
    events = perf.parse_events("cpu-clock,page-faults", perf.cpu_map(), perf.thread_map(-1))
    events.config()
    assert events[0].sample_type & perf.SAMPLE_IP and events[0].sample_period == 4000
    events.open()
    events.mmap()
    events.enable()
    names = set()
    while "cpu-clock" not in names:
        events.poll(timeout=100)
        for cpu in events.all_cpus():
            record = events.read_on_cpu(cpu)
            if isinstance(record, perf.sample_event):
                names.add(record.evsel.name)
                assert record.sample_time and record.sample_cpu == cpu
    events.close()


@test
def metrics_and_pmus_are_listed():
    every = perf.metrics()
    assert {"MetricName", "MetricExpr", "MetricGroup", "BriefDescription"} <= set(every[0])
    assert "IPC" in perf.parse_metrics("IPC").metrics() or True
    raises(OSError, perf.parse_metrics, "bogus")
    raises(TypeError, perf.parse_events("task-clock").compute_metric, "x", 0, 0)
    pmus = {p.name(): p for p in perf.pmus()}
    assert "software" in pmus and repr(pmus["software"]) == "pmu(software)"
    assert any(e["name"] == "task-clock" for e in pmus["software"].events())
    assert perf.syscall_name(perf.syscall_id("read")) == "read"
    raises(ValueError, perf.syscall_id, "bogus")


@test
def sessions_hand_out_samples_with_names():
    samples, comms = [], []
    s = perf.session(perf.data(STACKS), sample=samples.append, comm=comms.append)
    assert s.process_events() == 0 and samples and comms
    hot = [x for x in samples if x.symbol == "noploop"]
    assert hot, {x.symbol for x in samples}
    x = hot[0]
    assert x.comm and x.dso.startswith("/") and x.symoff >= 0 and x.evsel.name.startswith("cpu-clock")
    assert x.callchain[0].symbol == "noploop" and len(x.callchain) > 1
    assert x.callchain[0].ip == x.sample_ip and x.brstack is None and x.raw_buf is None
    assert s.find_thread(x.sample_tid).comm() == x.comm
    raises(ValueError, s.find_thread, 2 ** 30)
    times = [y.sample_time for y in samples]
    assert times == sorted(times) and len(s.events()) >= 1
    s.close()
    raises(ValueError, s.process_events)
    assert x.symbol == "noploop"  # samples keep the objects that they need
    few = []
    with perf.session(STACKS, sample=few.append, symbol="noploop") as filtered:
        filtered.process_events()
    assert len(few) == len(hot)


@test
def functions_that_fail_end_the_reading():
    def throws(_):
        raise KeyError("stop")
    assert raises(KeyError, perf.session(STACKS, sample=throws).process_events).args == ("stop",)
    box = []
    box.append(perf.session(STACKS, sample=lambda _: box[0].close()))
    raises(ValueError, box[0].process_events)
    box[0] = perf.session(STACKS, sample=lambda _: box[0].process_events())
    raises(ValueError, box[0].process_events)
    raises(TypeError, perf.session, STACKS, sample=3)
    raises(TypeError, perf.session, 5)
    raises(TypeError, perf.session, STACKS, bogus=1)
    raises(ValueError, perf.session.__new__(perf.session).process_events)


@test
def cycles_are_collected():
    class Holder:
        pass
    holder = Holder()
    holder.session = perf.session(STACKS, sample=lambda s, h=holder: h)
    alive = weakref.ref(holder)
    del holder
    gc.collect()
    assert alive() is None


@test
def columns_are_what_sessions_say():
    samples = []
    perf.session(STACKS, sample=samples.append).process_events()
    table = perf.columns(STACKS, ["time", "pid", "tid", "cpu", "comm", "event", "period", "ip", "symbol",
                                  "symoff", "dso", "callchain", "callchain_symbol"])
    assert len(table) == len(samples) == table.num_rows and table.num_columns == 13
    assert table["time"].tolist() == [s.sample_time for s in samples]
    assert table["tid"].tolist() == [s.sample_tid for s in samples]
    assert table["ip"].tolist() == [s.sample_ip for s in samples]
    assert table["period"].tolist() == [s.sample_period for s in samples]
    assert table["comm"].tolist() == [s.comm for s in samples]
    assert table["event"].tolist() == [s.evsel.name for s in samples]
    assert table["symbol"].tolist() == [s.symbol for s in samples]
    assert table["symoff"].tolist() == [s.symoff for s in samples]
    assert table["dso"].tolist() == [s.dso for s in samples]
    for row in range(0, len(samples), 50):
        chain = samples[row].callchain
        assert table["callchain"][row] == [n.ip for n in chain]
        assert table["callchain_symbol"][row] == [n.symbol for n in chain]
    assert list(table) == list(table.names) == list(table.keys())
    assert table[0].name == "time" and table[-1].name == "callchain_symbol"
    raises(KeyError, lambda: table["nope"])
    raises(IndexError, lambda: table[13])
    raises(TypeError, perf.table)


@test
def columns_are_buffers():
    table = perf.columns(STACKS, ["time", "pid", "comm", "callchain", "addr"])
    view = memoryview(table["time"])
    assert view.format == "Q" and view.readonly and view.shape == (len(table),)
    assert view.tolist() == table["time"].tolist()
    assert view.tobytes() == table["time"].tobytes()
    numbers = array.array("i", bytes(memoryview(table["pid"]))).tolist()
    assert numbers == table["pid"].tolist()
    names = table["comm"].names
    assert [names[i] for i in memoryview(table["comm"])] == table["comm"].tolist()
    offsets, items = table["callchain"].offsets, memoryview(table["callchain"])
    assert len(offsets) == len(table) + 1
    assert items[offsets[0]:offsets[1]].tolist() == table["callchain"][0]
    assert table["addr"].null_count == len(table) and table["addr"].valid[0] == 0
    assert table["addr"][0] is None and table["time"].valid is None
    interface = table["time"].__array_interface__
    first = ctypes.c_uint64.from_address(interface["data"][0]).value
    assert interface["typestr"][1:] == "u8" and first == table["time"][0]
    # A view keeps the table alive.
    expected = table["time"].tolist()
    del table
    gc.collect()
    assert view.tolist() == expected


@test
def filters_are_those_of_the_commands():
    table = perf.columns(STACKS, ["time", "symbol"])
    times, middle = table["time"].tolist(), len(table) // 2
    part = perf.columns(STACKS, ["time"], time=(times[middle], None))
    assert part["time"].tolist() == [t for t in times if t >= times[middle]]
    hot = perf.columns(STACKS, ["symbol"], symbol="noploop")
    assert hot["symbol"].names == ("noploop",) and \
        len(hot) == table["symbol"].tolist().count("noploop")
    assert len(perf.columns(STACKS, ["time"], comm=["no", "such"])) == 0
    assert len(perf.columns(STACKS, ["time"], event="cpu*")) == len(table)
    raises(ValueError, perf.columns, STACKS, event="nope")
    raises(ValueError, perf.columns, STACKS, ["nope"])
    raises(ValueError, perf.columns, STACKS, time="x")
    raises(ValueError, perf.columns, STACKS, cpu="x")
    raises(TypeError, perf.columns, STACKS, 3)
    raises(TypeError, perf.columns, STACKS, [3])
    raises(TypeError, perf.columns, STACKS, bogus=1)
    raises(FileNotFoundError, perf.columns, FOLDER + "/nope")
    raises(ValueError, perf.columns, TOP + "/README.md")
    raises(ValueError, perf.columns, STACKS, max_stack=-1)


@test
def fields_of_tracepoints_are_columns():
    if not os.path.exists(SWITCHES):
        print("# no tracepoint could be recorded")
        return
    table = perf.columns(SWITCHES, ["event", "next_comm", "next_pid", "prev_state"])
    for row in range(len(table)):
        is_switch = table["event"][row] == "sched:sched_switch"
        assert (table["next_comm"][row] is not None) == is_switch
        assert (table["next_pid"][row] is not None) == is_switch
    samples = []
    perf.session(SWITCHES, sample=samples.append).process_events()
    assert table["next_comm"].tolist() == [getattr(s, "next_comm", None) for s in samples]
    assert table["next_pid"].tolist() == [getattr(s, "next_pid", None) for s in samples]


def made_recording(name):
    """Makes a recording by hand: a task called @name, and three samples of it."""
    attr = struct.pack("<IIQQQQQ", 1, 128, 0, 1000, 1 | 2 | 4 | 0x100, 0, 1 << 18).ljust(128, b"\0")
    body = struct.pack("<II", 7, 7) + name + bytes(8 - len(name) % 8) + struct.pack("<IIQ", 7, 7, 1)
    data = struct.pack("<IHH", 3, 0, 8 + len(body)) + body
    for time in (30, 10, 20):
        data += struct.pack("<IHHQIIQQ", 9, 2, 40, 0x1000, 7, 7, time, 1)
    start = 104 + 144
    head = b"PERFILE2" + struct.pack("<QQQQQQ", 104, 144, 104, 144, start, len(data))
    return head.ljust(104, b"\0") + attr + struct.pack("<QQ", 0, 0) + data


@test
def names_that_are_no_utf8_are_texts():
    path = FOLDER + "/made.data"
    with open(path, "wb") as f:
        f.write(made_recording(b"a\xff\n\xe2\x86"))
    table = perf.columns(path, ["comm", "time"])
    assert table["comm"].names == ("a\\xff\n\\xe2\\x86",) and table["time"].tolist() == [10, 20, 30]
    seen = []
    perf.session(path, sample=lambda s: seen.append(s.comm), comm=lambda c: repr(c)).process_events()
    assert seen == ["a\\xff\n\\xe2\\x86"] * 3
    assert len(perf.columns(path, ["time"], comm="a\udcff\n\udce2\udc86")) == 3


@test
def damaged_recordings_raise_or_are_read():
    whole = made_recording(b"prog")
    path = FOLDER + "/damaged.data"
    for at in range(0, len(whole), 3):
        for damaged in (whole[:at], whole[:at] + b"\xff\xff" + whole[at + 2:]):
            with open(path, "wb") as f:
                f.write(damaged)
            for read in (lambda: perf.columns(path, perf.column_fields()),
                         lambda: perf.session(path, sample=lambda s: (s.symbol, s.callchain, s.comm),
                                              mmap=repr, comm=repr).process_events()):
                try:
                    read()
                except (OSError, ValueError):
                    pass


@test
def the_interpreter_goes_on_meanwhile():
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(1)
            done.wait(0.0001)
    thread = threading.Thread(target=tick)
    thread.start()
    tables = []
    readers = [threading.Thread(target=lambda: tables.append(perf.columns(STACKS))) for _ in range(4)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    done.set()
    thread.join()
    assert ticks and len(tables) == 4 and len({tuple(t["time"].tolist()) for t in tables}) == 1


@test
def an_interrupt_ends_the_reading():
    fifo = "%s/fifo-%d" % (FOLDER, os.getpid())
    os.mkfifo(fifo)
    writer = os.open(fifo, os.O_RDWR)
    os.write(writer, b"PERFILE2" + struct.pack("<Q", 16))
    # No more records come: Ctrl-C must not wait for one.
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    try:
        perf.columns(fifo)
    except KeyboardInterrupt:
        return
    raise AssertionError("it was not interrupted")


@test
def a_child_may_use_what_its_parent_opened():
    s = perf.session(STACKS, sample=lambda _: None)
    table = perf.columns(STACKS, ["time"])
    child = os.fork()
    if not child:
        status = 1
        try:
            s.process_events()
            status = 0 if len(perf.columns(STACKS)) == len(table) else 2
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0


@test
def numpy_takes_columns_without_a_loop():
    try:
        import numpy
    except ImportError as e:
        print("# left out:", e)
        return
    table = perf.columns(STACKS, ["time", "cpu", "comm", "callchain"])
    time = numpy.asarray(table["time"])
    assert time.dtype == numpy.uint64 and not time.flags.writeable and time.tolist() == table["time"].tolist()
    assert numpy.asarray(table["cpu"]).dtype == numpy.int32
    assert numpy.asarray(table["callchain"].offsets)[-1] == len(memoryview(table["callchain"]))
    address = table["time"].__array_interface__["data"][0]
    assert time.__array_interface__["data"][0] == address  # it is not a copy


@test
def arrow_takes_tables_without_a_loop():
    try:
        import pyarrow
    except ImportError as e:
        print("# left out:", e)
        return
    table = perf.columns(STACKS, perf.column_fields())
    arrow = pyarrow.table(table)
    arrow.validate(full=True)
    assert arrow.column_names == list(table.names)
    for name in table.names:
        assert arrow[name].to_pylist() == table[name].tolist(), name
    assert pyarrow.array(table["comm"]).to_pylist() == table["comm"].tolist()
    assert pyarrow.schema(table).names == list(table.names)
    empty = pyarrow.table(perf.columns(STACKS, perf.column_fields(), comm="nobody"))
    empty.validate(full=True)
    assert empty.num_rows == 0


@test
def polars_and_pandas_take_tables():
    table = perf.columns(STACKS, ["time", "comm", "period"])
    try:
        import polars
        frame = polars.DataFrame(table)
        assert frame.height == len(table) and frame["comm"].cast(polars.String).to_list() == table["comm"].tolist()
    except ImportError as e:
        print("# left out:", e)
    try:
        import pandas
        import pyarrow
    except ImportError as e:
        print("# left out:", e)
        return
    frame = pyarrow.table(table).to_pandas()
    assert len(frame) == len(table) and frame["comm"].astype(str).tolist() == table["comm"].tolist()
    assert isinstance(frame["comm"].dtype, pandas.CategoricalDtype)


def main():
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
