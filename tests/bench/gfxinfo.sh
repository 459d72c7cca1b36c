# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# How fast, and in how much memory, the text of dumpsys gfxinfo is read: one dump of a whole device
# with 13 windows of 120 rows, as if saved 260 times (about 100 MB, and in the page cache).

# Has the lengths of lines that a real one has.
gfxinfo_dump() {
	awk '
		function bars(name, labels, last,   i, s) {
			s = name ":"
			for (i = 1; i <= labels; i++)
				s = s " " (i == labels ? last : i * 4) "ms=" (i * 7919) % 97
			print s
		}
		function totals(   i) {
			print "Stats since: 15947409802641ns\nTotal frames rendered: 3370"
			print "Janky frames: 363 (10.77%)\nJanky frames (legacy): 1614 (47.89%)"
			for (i = 0; i < 4; i++)
				print substr("50909599", 2 * i + 1, 2) "th percentile: " 18 * (i + 1) "ms"
			print "Number Missed Vsync: 63\nNumber High input latency: 5160"
			print "Number Slow UI thread: 312\nNumber Slow bitmap uploads: 2"
			print "Number Slow issue draw commands: 121\nNumber Frame deadline missed: 363"
			print "Number Frame deadline missed (legacy): 335"
			bars("HISTOGRAM", 154, 4950)
			for (i = 0; i < 4; i++)
				print substr("50909599", 2 * i + 1, 2) "th gpu percentile: " 5 * (i + 1) "ms"
			bars("GPU HISTOGRAM", 26, 4950)
			print ""
		}
		BEGIN {
			print "Applications Graphics Acceleration Info:"
			print "Uptime: 26045845 Realtime: 26047725\n"
			for (p = 1; p <= 47; p++) {
				printf "** Graphics info for pid %d [org.example.number%d] **\n\n", 1000 + p, p
				if (p <= 10)
					totals()
				print "Pipeline=Skia (OpenGL)\nProfile data in ms:\n"
				if (p <= 13) {
					name = "org.example.number" p "/org.example.number" p ".MainActivity"
					print "\t" name "/android.view.ViewRootImpl@1720d3b (visibility=0)"
					print "\tDraw\tPrepare\tProcess\tExecute\n\nWindow: " name
					totals()
					print "\n\n---PROFILEDATA---\nFlags,FrameTimelineVsyncId,IntendedVsync," \
						"Vsync,InputEventId,HandleInputStart,AnimationStart," \
						"PerformTraversalsStart,DrawStart,FrameDeadline,FrameInterval," \
						"FrameStartTime,SyncQueued,SyncStart,IssueDrawCommandsStart," \
						"SwapBuffers,FrameCompleted,DequeueBufferDuration," \
						"QueueBufferDuration,GpuCompleted,SwapBuffersCompleted," \
						"DisplayPresentTime,CommandSubmissionCompleted,"
					for (r = 0; r < 120; r++) {
						t = 25622425131009 + r * 16666667
						printf "0,%d,%.0f,%.0f,0,", 3562581 + r, t, t
						for (c = 1; c <= 4; c++)
							printf "%.0f,", t + c * 777001
						printf "%.0f,%.0f,16666667,", t + 20000000, t + 77000
						for (c = 5; c <= 9; c++)
							printf "%.0f,", t + c * 777001
						printf "34271,322761,%.0f,%.0f,0,%.0f,\n", t + 8000000, t + 7500000, t + 6600000
					}
					print "---PROFILEDATA---\n"
				}
				print "View hierarchy:\n\nTotal ViewRootImpl   : 1\nTotal attached Views : 57\n"
			}
		}'
}

bench_gfxinfo() {
	local bytes ns items rows run i max_rss_kib
	local dump=$WORK/gfxinfo.txt

	progress "gfxinfo: making 260 dumps"
	gfxinfo_dump >"$WORK/gfxinfo.one"
	for ((i = 0; i < 260; i++)); do
		cat "$WORK/gfxinfo.one"
	done >"$dump"
	: >"$WORK/gfxinfo.rate"
	: >"$WORK/gfxinfo.rss"
	for ((run = 1; run <= ROUNDS; run++)); do
		progress "gfxinfo: run $run of $ROUNDS"
		"$TOOLS/rusage" "$WORK/gfxinfo.usage" "$TOOLS/read_gfxinfo" "$dump" \
			>"$WORK/gfxinfo.read"
		read -r bytes ns items rows <"$WORK/gfxinfo.read"
		# shellcheck disable=SC1091 # max_rss_kib
		. "$WORK/gfxinfo.usage"
		calc "$bytes / $ns * 1e3" >>"$WORK/gfxinfo.rate"
		calc "$max_rss_kib / 1024" >>"$WORK/gfxinfo.rss"
	done
	rm -f "$dump"
	if [ "$rows" != $((260 * 13 * 120)) ]; then
		echo "bench: $rows rows were read of the $((260 * 13 * 120)) of the dumps" >&2
		return 1
	fi
	result gfxinfo "reading $(calc "$bytes / 1000000") MB of dumps, $items items" \
		"$(median <"$WORK/gfxinfo.rate")" MB/s ">=" 100
	result gfxinfo "its peak memory" "$(median <"$WORK/gfxinfo.rss")" MiB "<=" 16
}
