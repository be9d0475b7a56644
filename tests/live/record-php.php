<?php
// Spends 75 % of its time in heavy(), at the end of a recursion, and 25 % in light(), which C code calls.
function heavy($n)
{
	$s = 0;
	for ($i = 0; $i < $n; $i++) {
		$s = ($s * 31 + $i) % 1000003; // line of heavy
	}
	return $s;
}

function light($n)
{
	$s = 0;
	for ($i = 0; $i < $n; $i++) {
		$s = ($s * 31 + $i) % 1000003;
	}
	return $s;
}

function deep($k, $n)
{
	return $k == 0 ? heavy($n) : deep($k - 1, $n); // line of deep
}

class Server
{
	public function run($end)
	{
		while (microtime(true) < $end) {
			deep(5, 15000); // line of run
			array_map('light', [2500, 2500]);
		}
	}
}

(new Server)->run(microtime(true) + $argv[1]);
