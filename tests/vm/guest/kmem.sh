# SPDX-License-Identifier: MIT
# Memory of the kernel, where the kernel is not the developer's: its tracepoints have other formats, and its verifier is
# stricter.
work=$(mktemp -d)
cd "$work"
perf check -q feature bpf || { echo 'this perf has no BPF programs'; exit 77; }
[ -e /sys/kernel/btf/vmlinux ] || { echo 'this kernel has no BTF'; exit 77; }

# 300 files are opened: alloc_empty_file() makes them, or the part of it that the compiler did not inline.
cat >files.sh <<'SCRIPT'
i=0
while [ $i -lt 300 ]; do read -r line </etc/passwd; i=$((i + 1)); done
SCRIPT

# hits FILE: prints how many of them there are.
hits() {
	sed -nE 's/^ (alloc_empty_file|__alloc_file)\+[^|]*\|[^|]*\|[^|]*\| *([0-9]*) \|.*/\2/p' "$1"
}

perf kmem record -q -o slab.data -- sh files.sh 2>err || { cat err; exit 1; }
perf kmem stat -i slab.data --caller >slab 2>err || { cat err; exit 1; }
[ "$(hits slab)" -ge 300 ] || { echo 'recorded files are missing'; cat slab; exit 1; }

perf kmem stat --bpf --caller -- sh files.sh >slab 2>err || { cat err; exit 1; }
[ "$(hits slab)" -ge 300 ] || { echo 'counted files are missing'; cat slab; exit 1; }

perf kmem record --page -q -o page.data -- sh files.sh 2>err || { cat err; exit 1; }
perf kmem stat -i page.data --page --caller >page 2>err || { cat err; exit 1; }
grep -q 'GFP_HIGHUSER_MOVABLE' page || { echo 'no flags'; cat page; exit 1; }
grep -qE '\| (__)?(vma_alloc_folio|folio_alloc|pte_alloc_one|__pmd_alloc|pgd_alloc)$' page ||
	{ echo 'no call sites'; cat page; exit 1; }

perf kmem stat --bpf --page --caller -- sh files.sh >page 2>err || { cat err; exit 1; }
grep -q 'GFP_HIGHUSER_MOVABLE' page || { echo 'no flags are counted'; cat page; exit 1; }
grep -qE '\| (__)?(vma_alloc_folio|folio_alloc|pte_alloc_one|__pmd_alloc|pgd_alloc)$' page ||
	{ echo 'no call sites are counted'; cat page; exit 1; }
