# SPDX-License-Identifier: MIT
#
# SchedGui: scripts of Linux's perf open a window with it. There is none here.

raise ImportError("perf has no window for this script: `perf script report sched-migration FILE.svg`"
                  " draws a picture")
