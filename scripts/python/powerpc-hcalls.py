# SPDX-License-Identifier: MIT
#
# powerpc-hcalls: how often a PowerPC guest calls its hypervisor, and how long that takes.
#
#   perf script record powerpc-hcalls -a sleep 10
#   perf script report powerpc-hcalls

import os
import sys

sys.path.append(os.path.join(os.environ.get("PERF_EXEC_PATH", "."),
                             "scripts/python/Perf-Trace-Util/lib/Perf/Trace"))
import Script

# asm/hvcall.h: most numbers increase in steps of four from the first of a row.
NAMES = {
    4: "REMOVE ENTER READ CLEAR_MOD CLEAR_REF PROTECT GET_TCE PUT_TCE SET_SPRG0 SET_DABR PAGE_INIT"
       " SET_ASR ASR_ON ASR_OFF LOGICAL_CI_LOAD LOGICAL_CI_STORE LOGICAL_CACHE_LOAD"
       " LOGICAL_CACHE_STORE LOGICAL_ICBI LOGICAL_DCBF GET_TERM_CHAR PUT_TERM_CHAR REAL_TO_LOGICAL"
       " HYPERVISOR_DATA EOI CPPR IPI IPOLL XIRR MIGRATE_DMA PERFMON",
    220: "REGISTER_VPA CEDE CONFER PROD GET_PPP SET_PPP PURR PIC REG_CRQ FREE_CRQ VIO_SIGNAL"
         " SEND_CRQ",
    272: "COPY_RDMA REGISTER_LOGICAL_LAN FREE_LOGICAL_LAN ADD_LOGICAL_LAN_BUFFER SEND_LOGICAL_LAN"
         " BULK_REMOVE",
    304: "MULTICAST_CTRL SET_XDABR STUFF_TCE PUT_TCE_INDIRECT",
    332: "CHANGE_LOGICAL_LAN_MAC VTERM_PARTNER_INFO REGISTER_VTERM FREE_VTERM RESET_EVENTS"
         " ALLOC_RESOURCE FREE_RESOURCE MODIFY_QP QUERY_QP REREGISTER_PMR REGISTER_SMR QUERY_MR"
         " QUERY_MW QUERY_HCA QUERY_PORT MODIFY_PORT DEFINE_AQP1 GET_TRACE_BUFFER DEFINE_AQP0"
         " RESIZE_MR ATTACH_MCQP DETACH_MCQP CREATE_RPT REMOVE_RPT REGISTER_RPAGES"
         " DISABLE_AND_GETC ERROR_DATA GET_HCA_INFO GET_PERF_COUNT MANAGE_TRACE",
    468: "FREE_LOGICAL_LAN_BUFFER POLL_PENDING",
    484: "QUERY_INT_STATE",
    580: "ILLAN_ATTRIBUTES",
    592: "MODIFY_HEA_QP QUERY_HEA_QP QUERY_HEA QUERY_HEA_PORT MODIFY_HEA_PORT REG_BCMC DEREG_BCMC"
         " REGISTER_HEA_RPAGES DISABLE_AND_GET_HEA GET_HEA_INFO ALLOC_HEA_RESOURCE",
    644: "ADD_CONN DEL_CONN",
    664: "JOIN",
    676: "VASI_STATE",
    688: "ENABLE_CRQ",
    696: "GET_EM_PARMS",
    720: "SET_MPP GET_MPP",
    748: "HOME_NODE_ASSOCIATIVITY",
    756: "BEST_ENERGY",
    764: "XIRR_X RANDOM COP",
    788: "GET_MPP_X",
    796: "SET_MODE",
    61440: "RTAS",
}
names = {first + 4 * i: "H_" + name
         for first, row in NAMES.items() for i, name in enumerate(row.split())}

started = {}        # (cpu, opcode): ns
calls = {}          # opcode: [ns of each call]


@Script.on("powerpc:hcall_entry")
def call_starts(event):
    started[event["common_cpu"], event["opcode"]] = Script.time_ns(event)


@Script.on("powerpc:hcall_exit")
def call_ends(event):
    since = started.pop((event["common_cpu"], event["opcode"]), None)
    if since is not None:
        times = calls.setdefault(event["opcode"], [])
        times.append(Script.time_ns(event) - since)


def trace_end():
    print("%-28s%10s%10s%10s%10s" % ("hcall", "count", "min(ns)", "max(ns)", "avg(ns)"))
    print("-" * 68)
    for opcode, times in calls.items():
        print("%-28s%10s%10s%10s%10s" % (names.get(opcode, opcode), len(times), min(times),
                                         max(times), sum(times) // len(times)))


trace_unhandled = Script.dispatch
