# SPDX-License-Identifier: MIT
#
# netdev-times: the path of network packets through the kernel, and how long each step takes.
#
#   perf script record netdev-times -a sleep 10
#   perf script report netdev-times [tx] [rx] [dev=] [debug]
#
#   tx, rx      only what is sent, only what is received
#   dev=eth     only devices (rx: names of interrupts) that contain this text
#   debug       also how many packets were still on their way at the end
#
# Sent packets: when they were queued (Qdisc), how long until the device took them (netdevice), and how long until the
# memory was freed. Received packets: from the interrupt over the softirq to the process that copies them.

import os
import sys
from collections import OrderedDict

sys.path.append(os.path.join(os.environ.get("PERF_EXEC_PATH", "."),
                             "scripts/python/Perf-Trace-Util/lib/Perf/Trace"))
import Script

USAGE = "netdev-times [tx] [rx] [dev=] [debug]"
NET_RX = 3              # number of the softirq, linux/interrupt.h
PACKETS_MAX = 65536     # packets followed at a time

irqs = {}               # cpu: interrupts that are not over, or that raised NET_RX
softirqs = {}           # cpu: the running NET_RX softirq
received = []           # softirqs that ended
sent = []               # packets that were freed


class Packets:
    """Packets on their way, found by the address of their skb; if two share an address, the newer one."""

    def __init__(self):
        self.packets = OrderedDict()    # serial number: packet
        self.serials = {}               # skb address: serial numbers
        self.serial = 0
        self.overflows = 0              # packets dropped here because there were too many

    def add(self, packet):
        self.serial += 1
        self.packets[self.serial] = packet
        self.serials.setdefault(packet["skbaddr"], []).append(self.serial)
        if len(self.packets) > PACKETS_MAX:
            _, oldest = self.packets.popitem(last=False)
            self._forget(oldest["skbaddr"], 0)
            self.overflows += 1

    def take(self, skbaddr):
        if skbaddr not in self.serials:
            return None
        return self.packets.pop(self._forget(skbaddr, -1))

    def _forget(self, skbaddr, which):
        serial = self.serials[skbaddr].pop(which)
        if not self.serials[skbaddr]:
            del self.serials[skbaddr]
        return serial


tx_queued = Packets()   # passed to the queueing discipline
tx_started = Packets()  # passed to the device
rx_waiting = Packets()  # received, not read yet


# Receiving: interrupt -> softirq NET_RX -> netif_receive_skb for each packet -> a process copies.

@Script.on("irq:irq_handler_entry")
def irq_starts(event):
    irqs.setdefault(event["common_cpu"], []).append(
        {"irq": event["irq"], "name": event["name"], "time": Script.time_ns(event),
         "cpu": event["common_cpu"], "raised": False, "netif_rx": []})


@Script.on("irq:irq_handler_exit")
def irq_ends(event):
    running = irqs.get(event["common_cpu"])
    if running:
        irq = running.pop()
        # An interrupt that has nothing to do with the network is forgotten.
        if irq["irq"] == event["irq"] and irq["raised"]:
            running.append(irq)


@Script.on("irq:softirq_raise")
def softirq_raised(event):
    running = irqs.get(event["common_cpu"])
    if event["vec"] == NET_RX and running:
        running[-1]["raised"] = True


@Script.on("net:netif_rx")
def netif_rx(event):
    running = irqs.get(event["common_cpu"])
    if running:
        running[-1]["raised"] = True
        running[-1]["netif_rx"].append((Script.time_ns(event), event["skbaddr"]))


@Script.on("irq:softirq_entry")
def softirq_starts(event):
    if event["vec"] == NET_RX:
        softirqs[event["common_cpu"]] = {"time": Script.time_ns(event), "steps": []}


@Script.on("irq:softirq_exit")
def softirq_ends(event):
    if event["vec"] == NET_RX:
        softirq = softirqs.pop(event["common_cpu"], None)
        causes = irqs.pop(event["common_cpu"], None)
        if softirq and causes:
            received.append((causes, softirq))


@Script.on("napi:napi_poll")
def polled(event):
    if event["common_cpu"] in softirqs:
        softirqs[event["common_cpu"]]["steps"].append(
            {"poll": event["dev_name"], "time": Script.time_ns(event)})


@Script.on("net:netif_receive_skb")
def packet_received(event):
    if event["common_cpu"] in softirqs:
        packet = {"skbaddr": event["skbaddr"], "len": event["len"],
                  "time": Script.time_ns(event), "end": None}
        softirqs[event["common_cpu"]]["steps"].append(packet)
        rx_waiting.add(packet)


@Script.on("skb:skb_copy_datagram_iovec")
def packet_copied(event):
    packet = rx_waiting.take(event["skbaddr"])
    if packet:
        packet["end"] = "skb_copy_datagram_iovec"
        packet["end_time"] = Script.time_ns(event)
        packet["reader"] = (event["common_pid"], event["common_comm"])


# Sending: queue -> device -> the skb is freed.

@Script.on("net:net_dev_queue")
def packet_queued(event):
    tx_queued.add({"skbaddr": event["skbaddr"], "dev": event["name"], "len": event["len"],
                   "queued": Script.time_ns(event)})


@Script.on("net:net_dev_xmit")
def packet_started(event):
    packet = tx_queued.take(event["skbaddr"]) if event["rc"] == 0 else None
    if packet:
        packet["started"] = Script.time_ns(event)
        tx_started.add(packet)


def packet_freed(event):
    packet = tx_started.take(event["skbaddr"])
    if packet:
        packet["freed"] = Script.time_ns(event)
        sent.append(packet)
    return packet


@Script.on("skb:consume_skb")
def packet_consumed(event):
    packet_freed(event)


@Script.on("skb:kfree_skb")
def packet_dropped(event):
    if tx_queued.take(event["skbaddr"]) or packet_freed(event):
        return
    packet = rx_waiting.take(event["skbaddr"])
    if packet:
        packet["end"] = "kfree_skb"
        packet["end_time"] = Script.time_ns(event)
        packet["location"] = event["location"]


# Printing. Times after the first line of a block count from its interrupt.

def msec(start, end):
    return (end - start) / 1000000.0


def print_packet(base, packet):
    print("         |---netif_receive_skb(+%.3fmsec skb=%x len=%d)"
          % (msec(base, packet["time"]), packet["skbaddr"], packet["len"]))
    if packet["end"]:
        print("         |            |")
        end = msec(base, packet["end_time"])
        if packet["end"] == "kfree_skb":
            print("         |      kfree_skb(+%.3fmsec location=%x)" % (end, packet["location"]))
        else:
            print("         |      skb_copy_datagram_iovec(+%.3fmsec %d:%s)"
                  % ((end,) + packet["reader"]))
    print("         |")


def print_received(causes, softirq):
    if not any(device in irq["name"] for irq in causes):
        return
    base = causes[0]["time"]
    print("%d.%06dsec cpu=%d" % (base // 10**9, base % 10**9 // 1000, causes[0]["cpu"]))
    for irq in causes:
        print("  irq_entry(+%.3fmsec irq=%d:%s)" % (msec(base, irq["time"]), irq["irq"], irq["name"]))
        print("         |")
        for time, skbaddr in irq["netif_rx"]:
            print("         |---netif_rx(+%.3fmsec skb=%x)" % (msec(base, time), skbaddr))
            print("         |")
    print("  softirq_entry(+%.3fmsec)" % msec(base, softirq["time"]))
    print("         |")
    for step in softirq["steps"]:
        if "poll" in step:
            print("  napi_poll_exit(+%.3fmsec %s)" % (msec(base, step["time"]), step["poll"]))
            print("" if step is softirq["steps"][-1] else "         |")
        else:
            print_packet(base, step)


def print_sent(packet):
    queued, started, freed = packet["queued"], packet["started"], packet["freed"]
    if device in packet["dev"]:
        print("%7s %5d %6d.%06dsec %12.3fmsec      %12.3fmsec"
              % (packet["dev"], packet["len"], queued // 10**9, queued % 10**9 // 1000,
                 msec(queued, started), msec(started, freed)))


def print_debug(name, packets):
    print("%s:remain:%d overflow:%d" % (name, len(packets.packets), packets.overflows))


def trace_end():
    if "rx" in words or "tx" not in words:
        for causes, softirq in received:
            print_received(causes, softirq)
    if "tx" in words or "rx" not in words:
        print("   dev    len      Qdisc               netdevice             free")
        for packet in sent:
            print_sent(packet)
    if "debug" in words:
        print("debug buffer status")
        print("----------------------------")
        print_debug("xmit Qdisc", tx_queued)
        print_debug("xmit netdevice", tx_started)
        print_debug("receive", rx_waiting)


words = Script.arguments(USAGE, most=8)
device = ""
for word in words:
    if word.startswith("dev="):
        device = word[4:]
    elif word not in ("tx", "rx", "debug"):
        sys.exit("netdev-times: what is '%s'?\nusage: perf script report %s" % (word, USAGE))
trace_unhandled = Script.dispatch
