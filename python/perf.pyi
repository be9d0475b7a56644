# SPDX-License-Identifier: MIT
"""Linux performance events: see perf-python(1)."""
from os import PathLike
from typing import Any, Iterator, Optional, Sequence, Tuple, Union

__version__: str

_Path = Union[str, bytes, "PathLike[str]", "PathLike[bytes]"]
_Names = Union[str, Sequence[str], None]
_Numbers = Union[int, Sequence[int], None]
_Time = Union[str, Tuple[Optional[int], Optional[int]], None]

class error(OSError, ValueError):
    """What was given, or what a recording contains, makes no sense."""

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
