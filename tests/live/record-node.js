// SPDX-License-Identifier: MIT
// Runs three quarters of the time in heavy(), the rest in light(), both called by a recursion.
'use strict';

function work(n) {
	let x = 0;
	for (let i = 0; i < n; i++)
		x = (x * 31 + i) % 1000003;
	return x;
}

function spin(ms) {
	const end = performance.now() + ms;
	let x = 0;
	while (performance.now() < end)
		x += work(20000);
	return x;
}

class Server {
	heavy() {
		return spin(
			30);
	}

	light = () => spin(10);
}

function descend(server, depth) {
	if (depth)
		return descend(server, depth - 1) + 1;
	return server.heavy() +
		server.light();
}

function main(ms) {
	const server = new Server(), end = performance.now() + ms;
	while (performance.now() < end)
		descend(server, 3);
}

main(Number(process.argv[2]));
