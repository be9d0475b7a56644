# SPDX-License-Identifier: MIT
"""Linux performance events: see perf-python(1)."""
from os import PathLike
from typing import Any, Callable, Iterator, Optional, Sequence, TextIO, Tuple, Union

__version__: str

_Path = Union[str, bytes, "PathLike[str]", "PathLike[bytes]"]
_Names = Union[str, Sequence[str], None]
_Numbers = Union[int, Sequence[int], None]
_Time = Union[str, Tuple[Optional[int], Optional[int]], None]

class error(OSError, ValueError):
    """An argument, or the contents of a recording, are not valid."""

class buffer:
    """An array of numbers that belongs to a column: memoryview() and NumPy take it."""
    __array_interface__: dict[str, Any]
    def __len__(self) -> int: ...
    def __getitem__(self, key: int) -> int: ...
    def tobytes(self) -> bytes: ...

class column:
    """A column of a table: an array of numbers, of codes of names, or of lists."""
    name: str
    type: str
    null_count: int
    names: tuple[str, ...]
    offsets: Optional[buffer]
    valid: Optional[buffer]
    __array_interface__: dict[str, Any]
    def __len__(self) -> int: ...
    def __getitem__(self, key: int) -> Any: ...
    def tolist(self) -> list[Any]: ...
    def tobytes(self) -> bytes: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]: ...

class table:
    """Samples as columns: table['time'] is an array over all of them."""
    names: tuple[str, ...]
    num_rows: int
    num_columns: int
    notes: tuple[str, ...]
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[str]: ...
    def __getitem__(self, key: Union[str, int]) -> column: ...
    def keys(self) -> tuple[str, ...]: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...

class cpu_map:
    """The CPUs that are online, or those of a list such as '0-3,5'."""
    def __init__(self, cpustr: Optional[str] = None) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, key: int) -> int: ...

class thread_map:
    """The threads of a process, one thread, those of a user, or -1: all threads."""
    def __init__(self, pid: int = -1, tid: int = -1, uid: int = -1) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, key: int) -> int: ...

class counts_values:
    """The result of evsel.read()."""
    val: int
    ena: int
    run: int
    id: int
    lost: int
    values: list[int]

class evsel:
    """An event; the keywords are the members of perf_event_attr."""
    type: int
    size: int
    config: int
    sample_period: int
    sample_type: int
    read_format: int
    wakeup_events: int
    tracking: bool
    name: str
    unit: str
    scale: float
    def __init__(self, *args: int, **attr: int) -> None: ...
    def open(
        self,
        cpus: Optional[cpu_map] = None,
        threads: Optional[thread_map] = None,
        group: int = 0,
        inherit: int = 0,
    ) -> None: ...
    def cpus(self) -> cpu_map: ...
    def threads(self) -> thread_map: ...
    def read(self, cpu: int, thread: int) -> counts_values: ...

class _record:
    sample_ip: int
    sample_pid: int
    sample_tid: int
    sample_time: int
    sample_addr: int
    sample_id: int
    sample_stream_id: int
    sample_period: int
    sample_cpu: int
    type: int

class mmap_event(_record):
    misc: int
    pid: int
    tid: int
    start: int
    len: int
    pgoff: int
    filename: str

class lost_event(_record):
    id: int
    lost: int

class comm_event(_record):
    pid: int
    tid: int
    comm: str

class task_event(_record):
    pid: int
    ppid: int
    tid: int
    ptid: int
    time: int

class throttle_event(_record):
    time: int
    id: int
    stream_id: int

class read_event(_record):
    pid: int
    tid: int
    value: int
    enabled: int
    running: int

class context_switch_event(_record):
    next_prev_pid: int
    next_prev_tid: int
    switch_out: bool

switch_event = context_switch_event

class callchain_node:
    """An entry of a call chain."""
    ip: int
    symbol: Optional[str]
    symoff: Optional[int]
    dso: Optional[str]

class branch_entry:
    """An entry of a branch stack."""
    from_ip: int
    to_ip: int
    mispred: bool
    predicted: bool
    in_tx: bool
    abort: bool
    cycles: int

class sample_event(_record):
    """The fields of a tracepoint are attributes, too."""
    misc: int
    sample_weight: int
    sample_ins_latency: int
    sample_data_src: int
    sample_phys_addr: int
    sample_transaction: int
    sample_data_page_size: int
    sample_code_page_size: int
    sample_cgroup: int
    sample_cpumode: int
    evsel: Optional[evsel]
    comm: Optional[str]
    symbol: Optional[str]
    symoff: Optional[int]
    dso: Optional[str]
    callchain: Optional[list[callchain_node]]
    brstack: Optional[list[branch_entry]]
    raw_buf: Optional[bytes]
    def __getattr__(self, name: str) -> Any: ...

_Record = Union[
    mmap_event,
    lost_event,
    comm_event,
    task_event,
    throttle_event,
    read_event,
    context_switch_event,
    sample_event,
]

class evlist:
    """Events that are opened, mapped and read together."""
    def __init__(self, cpus: cpu_map, threads: thread_map) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, key: int) -> evsel: ...
    def add(self, evsel: evsel) -> int: ...
    def all_cpus(self) -> cpu_map: ...
    def open(self, group: int = 0, inherit: int = 0) -> None: ...
    def close(self) -> None: ...
    def config(self) -> None: ...
    def enable(self) -> None: ...
    def disable(self) -> None: ...
    def mmap(self, pages: int = 128, overwrite: int = 0) -> None: ...
    def get_pollfd(self) -> list[TextIO]: ...
    def poll(self, timeout: int = -1) -> int: ...
    def read_on_cpu(self, cpu: int, sample_id_all: int = 1) -> Optional[_Record]: ...
    def metrics(self) -> list[str]: ...
    def compute_metric(self, metric: str, cpu: int, thread: int) -> float: ...

class data:
    """A recording to be read."""
    path: str
    def __init__(self, path: Optional[_Path] = None, fd: int = -1) -> None: ...

class thread:
    """A thread of a recording."""
    tid: int
    def comm(self) -> str: ...

class session:
    """A recording whose samples and records are handed to functions."""
    notes: tuple[str, ...]
    def __init__(
        self,
        data: Union[data, _Path] = "perf.data",
        *,
        sample: Optional[Callable[[sample_event], object]] = None,
        mmap: Optional[Callable[[mmap_event], object]] = None,
        comm: Union[Callable[[comm_event], object], _Names] = None,
        fork: Optional[Callable[[task_event], object]] = None,
        exit: Optional[Callable[[task_event], object]] = None,
        lost: Optional[Callable[[lost_event], object]] = None,
        throttle: Optional[Callable[[throttle_event], object]] = None,
        context_switch: Optional[Callable[[context_switch_event], object]] = None,
        read: Optional[Callable[[read_event], object]] = None,
        time: _Time = None,
        cpu: Union[str, _Numbers] = None,
        pid: _Numbers = None,
        tid: _Numbers = None,
        dso: _Names = None,
        symbol: _Names = None,
        symfs: Optional[_Path] = None,
        vmlinux: Optional[_Path] = None,
        kallsyms: Optional[_Path] = None,
        force: bool = False,
    ) -> None: ...
    def process_events(self) -> int: ...
    def find_thread(self, tid: int) -> thread: ...
    def process(self, tid: int) -> thread: ...
    def events(self) -> list[evsel]: ...
    def close(self) -> None: ...
    def __enter__(self) -> session: ...
    def __exit__(self, *exception: object) -> None: ...

class pmu:
    """A unit that counts events."""
    def name(self) -> str: ...
    def events(self) -> list[dict[str, str]]: ...

def parse_events(
    events: str, cpus: Optional[cpu_map] = None, threads: Optional[thread_map] = None
) -> evlist: ...
def parse_metrics(
    metrics: str, cpus: Optional[cpu_map] = None, threads: Optional[thread_map] = None
) -> evlist: ...
def metrics() -> list[dict[str, Any]]: ...
def pmus() -> Iterator[pmu]: ...
def tracepoint(sys: str, name: str) -> int: ...
def syscall_name(id: int) -> Optional[str]: ...
def syscall_id(name: str) -> int: ...
def columns(
    path: _Path = "perf.data",
    fields: _Names = None,
    *,
    event: _Names = None,
    time: _Time = None,
    cpu: Union[str, _Numbers] = None,
    pid: _Numbers = None,
    tid: _Numbers = None,
    comm: _Names = None,
    dso: _Names = None,
    symbol: _Names = None,
    symfs: Optional[_Path] = None,
    vmlinux: Optional[_Path] = None,
    kallsyms: Optional[_Path] = None,
    max_stack: int = 127,
    force: bool = False,
) -> table: ...
def column_fields() -> list[str]: ...

TYPE_HARDWARE: int
TYPE_SOFTWARE: int
TYPE_TRACEPOINT: int
TYPE_HW_CACHE: int
TYPE_RAW: int
TYPE_BREAKPOINT: int
COUNT_HW_CPU_CYCLES: int
COUNT_HW_INSTRUCTIONS: int
COUNT_HW_CACHE_REFERENCES: int
COUNT_HW_CACHE_MISSES: int
COUNT_HW_BRANCH_INSTRUCTIONS: int
COUNT_HW_BRANCH_MISSES: int
COUNT_HW_BUS_CYCLES: int
COUNT_HW_STALLED_CYCLES_FRONTEND: int
COUNT_HW_STALLED_CYCLES_BACKEND: int
COUNT_HW_REF_CPU_CYCLES: int
COUNT_HW_CACHE_L1D: int
COUNT_HW_CACHE_L1I: int
COUNT_HW_CACHE_LL: int
COUNT_HW_CACHE_DTLB: int
COUNT_HW_CACHE_ITLB: int
COUNT_HW_CACHE_BPU: int
COUNT_HW_CACHE_NODE: int
COUNT_HW_CACHE_OP_READ: int
COUNT_HW_CACHE_OP_WRITE: int
COUNT_HW_CACHE_OP_PREFETCH: int
COUNT_HW_CACHE_RESULT_ACCESS: int
COUNT_HW_CACHE_RESULT_MISS: int
COUNT_SW_CPU_CLOCK: int
COUNT_SW_TASK_CLOCK: int
COUNT_SW_PAGE_FAULTS: int
COUNT_SW_CONTEXT_SWITCHES: int
COUNT_SW_CPU_MIGRATIONS: int
COUNT_SW_PAGE_FAULTS_MIN: int
COUNT_SW_PAGE_FAULTS_MAJ: int
COUNT_SW_ALIGNMENT_FAULTS: int
COUNT_SW_EMULATION_FAULTS: int
COUNT_SW_DUMMY: int
COUNT_SW_BPF_OUTPUT: int
COUNT_SW_CGROUP_SWITCHES: int
SAMPLE_IP: int
SAMPLE_TID: int
SAMPLE_TIME: int
SAMPLE_ADDR: int
SAMPLE_READ: int
SAMPLE_CALLCHAIN: int
SAMPLE_ID: int
SAMPLE_CPU: int
SAMPLE_PERIOD: int
SAMPLE_STREAM_ID: int
SAMPLE_RAW: int
SAMPLE_BRANCH_STACK: int
SAMPLE_IDENTIFIER: int
FORMAT_TOTAL_TIME_ENABLED: int
FORMAT_TOTAL_TIME_RUNNING: int
FORMAT_ID: int
FORMAT_GROUP: int
FORMAT_LOST: int
RECORD_MMAP: int
RECORD_LOST: int
RECORD_COMM: int
RECORD_EXIT: int
RECORD_THROTTLE: int
RECORD_UNTHROTTLE: int
RECORD_FORK: int
RECORD_READ: int
RECORD_SAMPLE: int
RECORD_MMAP2: int
RECORD_AUX: int
RECORD_ITRACE_START: int
RECORD_LOST_SAMPLES: int
RECORD_SWITCH: int
RECORD_SWITCH_CPU_WIDE: int
RECORD_MISC_SWITCH_OUT: int
