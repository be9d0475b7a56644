/* SPDX-License-Identifier: MIT */
/*
 * Structs of the system call interface that uapi headers do not have, or not as the kernel reads and
 * writes them. Read by `update`, for each ABI; a long is as wide as a register.
 */
#include <linux/types.h>
#include <linux/time_types.h>

struct kernel_itimerspec {
	struct __kernel_old_timespec it_interval, it_value;
};

struct kernel_itimerval {
	struct __kernel_old_timeval it_interval, it_value;
};

struct kernel_timex {
	unsigned int modes;
	long offset, freq, maxerror, esterror;
	int status;
	long constant, precision, tolerance;
	struct __kernel_old_timeval time;
	long tick, ppsfreq, jitter;
	int shift;
	long stabil, jitcnt, calcnt, errcnt, stbcnt;
	int tai, padding[11];
};

struct kernel_tms {
	long tms_utime, tms_stime, tms_cutime, tms_cstime;
};

struct kernel_utimbuf {
	long actime, modtime;
};

struct kernel_rlimit {
	unsigned long rlim_cur, rlim_max;
};

struct kernel_file_handle {
	__u32 handle_bytes;
	int handle_type;
};

struct kernel_mmap_arg {
	unsigned long addr, len, prot, flags, fd, offset;
};

struct kernel_msghdr {
	void *msg_name;
	int msg_namelen;
	void *msg_iov;
	unsigned long msg_iovlen;
	void *msg_control;
	unsigned long msg_controllen;
	unsigned int msg_flags;
};

struct kernel_mmsghdr {
	struct kernel_msghdr msg_hdr;
	unsigned int msg_len;
};

struct kernel_linger {
	int l_onoff, l_linger;
};

struct kernel_ucred {
	__u32 pid, uid, gid;
};

struct kernel_sched_param {
	int sched_priority;
};

struct kernel_sigset {
	unsigned char bits[8];
};

struct kernel_sigaction {
	void *sa_handler;
	unsigned long sa_flags;
	void *sa_restorer;
	struct kernel_sigset sa_mask;
};

struct kernel_old_sigaction {
	void *sa_handler;
	unsigned long sa_mask;
	unsigned long sa_flags;
	void *sa_restorer;
};

/* The struct flock64 of fcntl64(), which x86_64 and aarch64 have as struct flock. */
struct kernel_flock64 {
	short l_type, l_whence;
	long long l_start, l_len;
	int l_pid;
};

/* What lies behind the name depends on the command. */
struct kernel_ifreq {
	char ifr_name[16];
	union {
		char ifr_addr[16];
		short ifr_flags;
		int ifr_ifindex;
		struct {
			unsigned long mem_start, mem_end;
			unsigned short base_addr;
			unsigned char irq, dma, port;
		} ifr_map;
		void *ifr_data;
	};
};
