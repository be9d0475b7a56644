# SPDX-License-Identifier: MIT
#
# SchedGui: scripts of Linux's perf open a window with it. This version has no window.

raise ImportError("perf has no window for this script: `perf script report sched-migration FILE.svg`"
                  " draws a picture")
