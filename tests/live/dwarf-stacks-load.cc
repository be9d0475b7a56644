// SPDX-License-Identifier: MIT
// Threads that come to rest in C++: while an exception passes, and in nested calls.
#include <functional>
#include <stdexcept>
#include <thread>
#include <unistd.h>
#include <vector>

static volatile bool is_tired = true;

__attribute__((noinline)) static void rest()
{
	while (is_tired)
		pause();
}

struct at_end {
	~at_end()
	{
		rest();
	}
};

__attribute__((noinline)) static void throws(int n)
{
	at_end e;

	if (n > 0)
		throws(n - 1);
	else
		throw std::runtime_error("end");
}

static void by_exception()
{
	try {
		throws(2);
	} catch (const std::exception &) {
	}
}

int main()
{
	std::vector<std::function<int(int)>> calls;
	std::thread passing(by_exception);

	calls.push_back([](int n) {
		std::function<void()> inner = [n]() { rest(); };

		inner();
		return n;
	});
	for (auto &f : calls)
		f(1);
	passing.join();
}
