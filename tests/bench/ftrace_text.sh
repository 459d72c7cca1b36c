# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# How fast, and in how much memory, the text of ftrace is read: 1 GB as of a phone with 8 CPUs (in
# the page cache), by the reader alone and by framescope report.

# A mix as of a busy phone: switches, wakings, marks of frames, fences, and events of no interest.
ftrace_text() {
	awk -v bytes="$1" '
		function line(what,   s) {
			us += 1 + int(rand() * 30)
			s = sprintf("%s [%03d] %s %d.%06d: %s", head[now], now % 8, flags[now], us / 1000000,
				us % 1000000, what)
			size += length(s) + 1
			print s
		}
		BEGIN {
			us = 4492000000
			n = split("ndroid.systemui RenderThread surfaceflinger Binder:600_2 kworker/u16:3 " \
				"mali-cmar-backe my-app RenderThread HwBinder:500_1 crtc_commit:120", name, " ")
			split("1200 1250 600 620 88 1260 5000 5020 520 300", pid, " ")
			split("1200 1200 600 600 88 1200 5000 5000 500 300", tgid, " ")
			split("d..2. d..2. d.h3. ..... ..... d.s4. ..... d..3. ..... d..2.", flags, " ")
			for (i = 1; i <= n; i++)
				head[i] = sprintf("%16s-%-5d ( %5d)", name[i], pid[i], tgid[i])
			print "# tracer: nop\n#"
			while (size < bytes) {
				now = 1 + int(rand() * n)
				to = 1 + int(rand() * n)
				r = rand()
				if (r < 0.25) {
					line("sched_switch: prev_comm=" name[now] " prev_pid=" pid[now] \
						" prev_prio=120 prev_state=" substr("SSDR", 1 + int(rand() * 4), 1) \
						" ==> next_comm=swapper/" now % 8 " next_pid=0 next_prio=120")
					line("sched_waking: comm=" name[now] " pid=" pid[now] \
						" prio=120 target_cpu=00" to % 8)
					line("sched_switch: prev_comm=swapper/" now % 8 " prev_pid=0 prev_prio=120 " \
						"prev_state=R ==> next_comm=" name[now] " next_pid=" pid[now] \
						" next_prio=97")
				} else if (r < 0.45) {
					line("tracing_mark_write: B|" tgid[now] "|Choreographer#doFrame " int(us / 1000))
					line("tracing_mark_write: B|" tgid[now] "|traversal")
					line("tracing_mark_write: E|" tgid[now])
					line("tracing_mark_write: E|" tgid[now])
				} else if (r < 0.65) {
					line("tracing_mark_write: B|" tgid[now] "|DrawFrames " int(us / 1000))
					line("tracing_mark_write: B|" tgid[now] "|dequeueBuffer - VRI[Main]#0(BLAST)0")
					line("tracing_mark_write: E|" tgid[now])
					line("tracing_mark_write: B|" tgid[now] "|queueBuffer")
					line("tracing_mark_write: E|" tgid[now])
					line("tracing_mark_write: E|" tgid[now])
				} else if (r < 0.75) {
					seq++
					line("dma_fence_init: driver=mali timeline=mali-1200_0_1 context=77 seqno=" seq)
					line("dma_fence_signaled: driver=mali timeline=mali-1200_0_1 context=77 seqno=" seq)
				} else {
					line("cpu_frequency: state=1800000 cpu_id=" to % 8)
				}
			}
		}'
}

bench_ftrace_text() {
	local bytes ns records run elapsed_ns max_rss_kib
	local text=$WORK/ftrace.txt

	progress "ftrace_text: making 1 GB"
	ftrace_text 1000000000 >"$text"
	: >"$WORK/ftrace.rate"
	: >"$WORK/ftrace.report"
	: >"$WORK/ftrace.rss"
	for ((run = 1; run <= ROUNDS; run++)); do
		progress "ftrace_text: run $run of $ROUNDS"
		"$TOOLS/read_source" "$text" >"$WORK/ftrace.read"
		read -r bytes ns records <"$WORK/ftrace.read"
		calc "$bytes / $ns * 1e3" >>"$WORK/ftrace.rate"
		"$TOOLS/rusage" "$WORK/ftrace.usage" "$FRAMESCOPE" report --json "$text" \
			>"$WORK/ftrace.json"
		# shellcheck disable=SC1091 # elapsed_ns and max_rss_kib
		. "$WORK/ftrace.usage"
		calc "$bytes / $elapsed_ns * 1e3" >>"$WORK/ftrace.report"
		calc "$max_rss_kib / 1024" >>"$WORK/ftrace.rss"
	done
	rm -f "$text"
	if ! grep -q "\"records\": *$records\b" "$WORK/ftrace.json"; then
		echo "bench: report did not count the $records records that the reader gave" >&2
		return 1
	fi
	result ftrace "reading $(calc "$bytes / 1000000") MB of text, $records records" \
		"$(median <"$WORK/ftrace.rate")" MB/s ">=" 150
	result ftrace "report of the same" "$(median <"$WORK/ftrace.report")" MB/s ">=" 150
	result ftrace "its peak memory" "$(median <"$WORK/ftrace.rss")" MiB "<=" 64
}
