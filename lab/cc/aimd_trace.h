/* SPDX-License-Identifier: GPL-2.0 */
/* The tracepoint aimd_decided: what a stream with deadlines was found to do, and what follows. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM aimd

#if !defined(WEIR_AIMD_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define WEIR_AIMD_TRACE_H

#include <linux/tracepoint.h>
#include <net/sock.h>

TRACE_EVENT(aimd_decided,
	TP_PROTO(const struct sock *sk, s64 margin_us, u64 throughput_bps, u32 alpha_milli,
		 u32 beta_milli),
	TP_ARGS(sk, margin_us, throughput_bps, alpha_milli, beta_milli),
	TP_STRUCT__entry(
		__field(const void *, sk)
		__field(s64, margin_us)
		__field(u64, throughput_bps)
		__field(u32, alpha_milli)
		__field(u32, beta_milli)
	),
	TP_fast_assign(
		__entry->sk = sk;
		__entry->margin_us = margin_us;
		__entry->throughput_bps = throughput_bps;
		__entry->alpha_milli = alpha_milli;
		__entry->beta_milli = beta_milli;
	),
	TP_printk("sk=%p margin_us=%lld throughput_bps=%llu alpha_milli=%u beta_milli=%u",
		  __entry->sk, __entry->margin_us, __entry->throughput_bps, __entry->alpha_milli,
		  __entry->beta_milli)
);

#endif

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH ../../net/ipv4/weir
#define TRACE_INCLUDE_FILE aimd_trace
#include <trace/define_trace.h>
