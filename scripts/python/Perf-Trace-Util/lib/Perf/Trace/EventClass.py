# SPDX-License-Identifier: MIT
#
# EventClass: samples as objects. PerfEvent is any sample; the classes below it take apart the raw
# data of one kind of hardware. Add a class of your own and a line in create_event().

import struct

EVTYPE_GENERIC = 0
EVTYPE_PEBS = 1         # precise sample of Intel's PEBS: registers
EVTYPE_PEBS_LL = 2      # the same with the latency of a load
EVTYPE_IBS = 3

PEBS_SIZE = 144
PEBS_LL_SIZE = 176


def create_event(name, comm, dso, symbol, raw_buf):
    """Returns the object for one sample. Only the size of the raw data distinguishes the kinds."""
    kind = {PEBS_SIZE: PebsEvent, PEBS_LL_SIZE: PebsNHM}.get(len(raw_buf), PerfEvent)
    return kind(name, comm, dso, symbol, raw_buf)


class PerfEvent(object):
    event_num = 0       # the number of objects that were made

    def __init__(self, name, comm, dso, symbol, raw_buf, ev_type=EVTYPE_GENERIC):
        self.name = name
        self.comm = comm
        self.dso = dso
        self.symbol = symbol
        self.raw_buf = raw_buf
        self.ev_type = ev_type
        PerfEvent.event_num += 1

    def show(self):
        print("PMU event: name=%12s, symbol=%24s, comm=%8s, dso=%12s" %
              (self.name, self.symbol, self.comm, self.dso))


class PebsEvent(PerfEvent):
    """The registers that the CPU wrote at the event."""
    pebs_num = 0

    def __init__(self, name, comm, dso, symbol, raw_buf, ev_type=EVTYPE_PEBS):
        (self.flags, self.ip, self.ax, self.bx, self.cx, self.dx,
         self.si, self.di, self.bp, self.sp) = struct.unpack_from("10Q", raw_buf)
        PerfEvent.__init__(self, name, comm, dso, symbol, raw_buf, ev_type)
        PebsEvent.pebs_num += 1


class PebsNHM(PebsEvent):
    """Nehalem and Westmere append four words: global status, address of the data, source of the
    data, and the latency in cycles."""
    pebs_nhm_num = 0

    def __init__(self, name, comm, dso, symbol, raw_buf, ev_type=EVTYPE_PEBS_LL):
        self.status, self.dla, self.dse, self.lat = struct.unpack_from("4Q", raw_buf, PEBS_SIZE)
        PebsEvent.__init__(self, name, comm, dso, symbol, raw_buf, ev_type)
        PebsNHM.pebs_nhm_num += 1
