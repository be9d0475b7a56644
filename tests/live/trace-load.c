/* SPDX-License-Identifier: MIT */
/*
 * A program that makes system calls of many kinds: threads, processes that fork, vfork, execute,
 * are killed in a call, exec from a thread; signals, sockets, pipes, polling, io_uring.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <netinet/in.h>

static void on_signal(int signal)
{
	(void)signal;
}

static void files(void)
{
	char buffer[64], dir[] = "/tmp/trace-load-XXXXXX";
	struct stat st;
	int fd;

	if (!mkdtemp(dir) || chdir(dir))
		exit(1);
	fd = open("first file", O_CREAT | O_RDWR | O_EXCL | O_CLOEXEC, 0640);
	if (write(fd, "hello\n\x1b[31mworld\"", 17) != 17 || pread(fd, buffer, 5, 0) != 5)
		exit(1);
	fstat(fd, &st);
	ftruncate(fd, 5000000000LL);
	lseek(fd, -1, SEEK_END);
	fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, 4096);
	close(fd);
	rename("first file", "second");
	symlink("second", "link\x1b[0m");
	if (readlink("link\x1b[0m", buffer, sizeof(buffer)) < 0)
		exit(1);
	open("/does/not/exist", O_RDONLY);
	open("second", O_WRONLY | O_TRUNC | O_APPEND | O_NONBLOCK);
	unlink("link\x1b[0m");
	unlink("second");
	chdir("/");
	rmdir(dir);
	access("/etc/passwd", R_OK | W_OK);
	close(999);
}

static void memory(void)
{
	char *p = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	mprotect(p, 4096, PROT_NONE);
	madvise(p + 8192, 4096, MADV_DONTNEED);
	mremap(p, 1 << 20, 2 << 20, MREMAP_MAYMOVE);
	munmap(p, 4096);
	mmap(NULL, 0, PROT_READ, MAP_SHARED, -1, 0);
}

static void sockets(void)
{
	struct sockaddr_in in = { .sin_family = AF_INET,
				  .sin_port = htons(9),
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "/no/such/socket" };
	struct iovec parts[2] = { { "one", 3 }, { "two", 3 } };
	struct msghdr message = { .msg_iov = parts, .msg_iovlen = 2 };
	char buffer[16];
	int pair[2], fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), one = 1;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	connect(fd, (struct sockaddr *)&in, sizeof(in));
	close(fd);
	fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	connect(fd, (struct sockaddr *)&un, sizeof(un));
	close(fd);
	socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
	sendmsg(pair[0], &message, MSG_NOSIGNAL);
	recv(pair[1], buffer, sizeof(buffer), MSG_DONTWAIT);
	recv(pair[1], buffer, sizeof(buffer), MSG_DONTWAIT);
	writev(pair[0], parts, 2);
	shutdown(pair[0], SHUT_WR);
	close(pair[0]);
	close(pair[1]);
}

static void polling(void)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u64 = 7 };
	struct itimerspec in_1ms = { .it_value.tv_nsec = 1000000 };
	struct pollfd polled[1];
	int fds[2], epoll = epoll_create1(EPOLL_CLOEXEC);
	int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
	uint64_t count = 1;

	if (pipe2(fds, O_CLOEXEC))
		exit(1);
	polled[0] = (struct pollfd){ .fd = fds[0], .events = POLLIN };
	poll(polled, 1, 1);
	if (write(fds[1], &count, 8) != 8)
		exit(1);
	poll(polled, 1, -1);
	timerfd_settime(timer, 0, &in_1ms, NULL);
	epoll_ctl(epoll, EPOLL_CTL_ADD, timer, &event);
	epoll_wait(epoll, &event, 1, 1000);
	if (write(eventfd(3, EFD_NONBLOCK), &count, 8) != 8)
		exit(1);
	dup2(timer, 77);
	fcntl(77, F_SETFD, FD_CLOEXEC);
	fcntl(77, F_GETFL);
	ioctl(fds[0], FIONREAD, &count);
}

static void facts(void)
{
	struct timespec t = { 0, 1000000 };
	struct utsname name;
	struct rlimit limit;

	nanosleep(&t, NULL);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	uname(&name);
	getrlimit(RLIMIT_NOFILE, &limit);
	prctl(PR_SET_NAME, "trace load/2");
	getpriority(PRIO_PROCESS, 0);
	syscall(SYS_getrandom, &t, sizeof(t), 1);
	syscall(1000, 1, 2, 3);
}

static void rings(void)
{
	struct io_uring_params params = { 0 };
	int fd = (int)syscall(SYS_io_uring_setup, 4, &params);

	if (fd >= 0) {
		syscall(SYS_io_uring_enter, fd, 0, 0, 0, NULL, 0);
		close(fd);
	}
}

static void *thread(void *arg)
{
	struct timespec t = { 0, 2000000 };

	(void)arg;
	for (int i = 0; i < 20; i++) {
		getppid();
		nanosleep(&t, NULL);
	}
	return NULL;
}

static void *exec_thread(void *arg)
{
	(void)arg;
	execl("/bin/true", "true", "from a thread", NULL);
	return NULL;
}

static void threads(void)
{
	pthread_t all[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&all[i], NULL, thread, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(all[i], NULL);
}

static void signals(void)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	struct timespec t = { 1, 0 };

	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	sigaction(SIGALRM, &action, NULL);
	ualarm(2000, 0);
	nanosleep(&t, &t);
}

static void processes(void)
{
	char *const argv[] = { "echo", "spawned", NULL };
	pthread_t t;
	pid_t pid = fork();

	if (!pid) {
		pause();
		_exit(0);
	}
	usleep(5000);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	if (!posix_spawn(&pid, "/bin/echo", NULL, NULL, argv, NULL))
		waitpid(pid, NULL, 0);
	pid = vfork();
	if (!pid) {
		execl("/bin/true", "true", NULL);
		_exit(1);
	}
	waitpid(pid, NULL, 0);
	pid = fork();
	if (!pid) {
		pthread_create(&t, NULL, exec_thread, NULL);
		for (;;)
			pause();
	}
	waitpid(pid, NULL, 0);
	pid = fork();
	if (!pid) {
		execl("/no/such/program", "x", NULL);
		_exit(3);
	}
	waitpid(pid, NULL, 0);
}

int main(void)
{
	files();
	memory();
	sockets();
	polling();
	facts();
	rings();
	threads();
	signals();
	processes();
	return 3;
}
