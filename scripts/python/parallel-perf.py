#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# parallel-perf: runs several instances of a `perf script` command at once, each for another part of
# the recording. It is a program of its own, not a script for perf script -s.
#
#   parallel-perf.py [options] -- perf script -F comm,ip,sym
#
# The time of the recording (or of the command's --time) is divided; --per-cpu also makes a part of
# each CPU. Each part has a folder with cmd.txt, out.txt and, if there were errors, err.txt:
# time-range-0, time-range-1 ..., below cpu-0, cpu-1 ... with --per-cpu. To join them again:
#
#   cat $(ls -d parallel-perf-output/time-range-* | sort -V | sed 's,$,/out.txt,')

import argparse
import os
import re
import shlex
import subprocess
import sys
import time


def parse_arguments():
    parser = argparse.ArgumentParser(description="Run a perf script command several times in "
                                     "parallel, over parts of the recording.")
    add = parser.add_argument
    add("-o", "--output-dir", default="parallel-perf-output", help="folder for the output")
    add("-j", "--jobs", type=int, default=0, help="jobs at a time (default: number of CPUs)")
    add("-n", "--nr", type=int, default=0, help="parts of the time (default: number of jobs)")
    add("-i", "--interval", type=float, default=0, help="seconds of each part")
    add("-c", "--per-cpu", action="store_true", help="parts for each CPU")
    add("-m", "--min-interval", type=float, default=10.0, help="least seconds of a part (10)")
    add("-p", "--pipe-to", help="command that reads the output of each part")
    add("-N", "--no-per-cpu", action="store_true", help="no parts for each CPU (the default)")
    add("-D", "--dry-run", action="store_true", help="only show the commands")
    add("-q", "--quiet", action="store_true", help="print errors only")
    add("-v", "--verbose", action="store_true", help="print each command")
    add("command", nargs=argparse.REMAINDER, help="perf script ...")
    options = parser.parse_args()
    if options.command[:1] == ["--"]:
        options.command = options.command[1:]
    if len(options.command) < 2 or options.command[1] != "script":
        parser.error("the command must be 'perf script ...', behind --")
    options.jobs = options.jobs if options.jobs > 0 else os.cpu_count() or 1
    return options


def take_option(command, name):
    """Removes --NAME=VALUE or --NAME VALUE from the command; returns VALUE or None."""
    for i, word in enumerate(command):
        if word.startswith("--%s=" % name):
            return command.pop(i).split("=", 1)[1]
        if word == "--" + name and i + 1 < len(command):
            command.pop(i)
            return command.pop(i)
    return None


def input_of(command):
    """Returns the recording that the command reads."""
    for i, word in enumerate(command):
        if word in ("-i", "--input") and i + 1 < len(command):
            return command[i + 1]
        if word.startswith("--input="):
            return word.split("=", 1)[1]
        if re.match("-i.", word):
            return word[2:]
    return "perf.data"


def read_header(command):
    """Returns (first sample, last sample) in ns, and the number of CPUs of the recording."""
    asked = [command[0], "script", "--header-only", "-i", input_of(command)]
    try:
        text = subprocess.check_output(asked, stderr=subprocess.PIPE).decode(errors="replace")
    except OSError as error:
        sys.exit("parallel-perf: cannot run %s: %s" % (command[0], error.strerror))
    except subprocess.CalledProcessError as error:
        sys.exit("parallel-perf: %s" % error.stderr.decode(errors="replace").strip())
    first = re.search(r"time of first sample : ([\d.]+)", text)
    last = re.search(r"time of last sample : ([\d.]+)", text)
    cpus = re.search(r"nrcpus online : (\d+)", text)
    times = (to_ns(first.group(1)), to_ns(last.group(1))) if first and last else None
    return times, int(cpus.group(1)) if cpus else os.cpu_count() or 1


def to_ns(text):
    seconds, _, fraction = text.partition(".")
    return int(seconds or 0) * 10**9 + int((fraction + "0" * 9)[:9])


def to_text(ns):
    return "" if ns is None else "%d.%09d" % (ns // 10**9, ns % 10**9)


def divide_time(options, given, recorded, cpus):
    """Returns texts for --time; [None] if there is nothing to divide."""
    start, _, end = (given or ",").partition(",")
    if "%" in start + end or (recorded is None and not (start and end)):
        return [given]
    first = to_ns(start) if start else recorded[0]
    last = to_ns(end) if end else recorded[1]
    length = max(last - first + 1, 1)
    if options.interval > 0:
        number = -(-length // int(options.interval * 10**9))
    else:
        number = options.nr if options.nr > 0 else options.jobs // cpus
    number = min(number, length // max(int(options.min_interval * 10**9), 1))
    if number <= 1:
        return [given]
    # Parts do not overlap, and the outer ones are as open as the given time.
    bounds = [first + length * i // number for i in range(1, number)]
    starts = [to_ns(start) if start else None] + bounds
    ends = [bound - 1 for bound in bounds] + [to_ns(end) if end else None]
    return ["%s,%s" % (to_text(a), to_text(b)) for a, b in zip(starts, ends)]


def divide_cpus(options, given, count):
    if not options.per_cpu or options.no_per_cpu:
        return [given]
    cpus = []
    for part in (given or "0-%d" % (count - 1)).split(","):
        low, _, high = part.partition("-")
        cpus += range(int(low), int(high or low) + 1)
    return [str(cpu) for cpu in cpus]


def make_jobs(options):
    """Returns a list of (folder, command)."""
    command = list(options.command)
    given_time, given_cpus = take_option(command, "time"), take_option(command, "cpu")
    recorded, count = read_header(command)
    cpus = divide_cpus(options, given_cpus, count)
    times = divide_time(options, given_time, recorded, len(cpus))
    jobs = []
    for cpu in cpus:
        for i, span in enumerate(times):
            words = (["--cpu=" + cpu] if cpu else []) + (["--time=" + span] if span else [])
            folders = ["cpu-" + cpu] if len(cpus) > 1 else []
            folders += ["time-range-%d" % i] if len(times) > 1 else []
            jobs.append((os.path.join(options.output_dir, *folders),
                         command[:2] + words + command[2:]))
    return jobs


class Job:
    """A running command, with the one that reads its output, if there is one."""

    def __init__(self, folder, command, pipe_to):
        os.makedirs(folder, exist_ok=True)
        self.errors = os.path.join(folder, "err.txt")
        with open(os.path.join(folder, "cmd.txt"), "w") as file:
            file.write(" ".join(command) + "\n")
        with open(os.path.join(folder, "out.txt"), "w") as out, open(self.errors, "w") as err:
            first_out = subprocess.PIPE if pipe_to else out
            self.programs = [subprocess.Popen(command, stdout=first_out, stderr=err)]
            if pipe_to:
                self.programs.append(subprocess.Popen(shlex.split(pipe_to), stdout=out, stderr=err,
                                                      stdin=self.programs[0].stdout))
                self.programs[0].stdout.close()

    def is_over(self):
        return all(program.poll() is not None for program in self.programs)

    def has_failed(self):
        if os.path.getsize(self.errors) == 0:
            os.unlink(self.errors)
        return any(program.returncode != 0 for program in self.programs)

    def kill(self):
        for program in self.programs:
            program.kill()
            program.wait()


def run(options, jobs):
    """Runs the jobs; returns True if all succeeded."""
    waiting, running, good = list(reversed(jobs)), [], True
    try:
        while waiting or running:
            while waiting and len(running) < options.jobs:
                running.append(Job(*waiting.pop(), options.pipe_to))
            time.sleep(0.02)
            for job in [job for job in running if job.is_over()]:
                running.remove(job)
                if job.has_failed():
                    print("parallel-perf: failed, see %s" % os.path.dirname(job.errors),
                          file=sys.stderr)
                    good = False
    except KeyboardInterrupt:
        print("\nInterrupted", file=sys.stderr)
        good = False
    except OSError as error:
        print("parallel-perf: %s" % error, file=sys.stderr)
        good = False
    for job in running:
        job.kill()
    return good


def main():
    options = parse_arguments()
    jobs = make_jobs(options)
    if options.dry_run:
        print("%d jobs:" % len(jobs))
    if options.dry_run or options.verbose:
        for _, command in jobs:
            print(" ".join(command))
    if options.dry_run:
        return 0
    if os.path.isdir(options.output_dir) and os.listdir(options.output_dir):
        sys.exit("parallel-perf: '%s' is not empty; choose another folder with -o"
                 % options.output_dir)
    if not run(options, jobs):
        return 1
    if not options.quiet:
        print("All jobs finished successfully")
    return 0


if __name__ == "__main__":
    sys.exit(main())
