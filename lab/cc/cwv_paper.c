// SPDX-License-Identifier: GPL-2.0
/*
 * cwv_paper: what "Does TCP's New Congestion Window Validation Improve HTTP Adaptive
 * Streaming Performance?" (Yanev, McQuistin, Perkins, NOSSDAV 2022) describes as CWV and
 * compares with: after a pause slow start from the initial window until something is lost,
 * since ssthresh is forgotten.
 *
 * Reno in all but the restart. RFC 2861, and Linux's reno, keep
 * ssthresh = max(ssthresh, 3/4 cwnd) there; this one has it infinite. cwnd itself is taken
 * back by the kernel, so net.ipv4.tcp_slow_start_after_idle must be 1.
 */
#include <linux/module.h>
#include <net/tcp.h>

/* The kernel takes ssthresh = max(ssthresh, 3/4 cwnd) right after this. */
static void cwv_paper_event(struct sock *sk, enum tcp_ca_event event)
{
	if (event == CA_EVENT_CWND_RESTART)
		WRITE_ONCE(tcp_sk(sk)->snd_ssthresh, TCP_INFINITE_SSTHRESH);
}

static struct tcp_congestion_ops cwv_paper __read_mostly = {
	.name		= "cwv_paper",
	.owner		= THIS_MODULE,
	.flags		= TCP_CONG_NON_RESTRICTED,
	.ssthresh	= tcp_reno_ssthresh,
	.cong_avoid	= tcp_reno_cong_avoid,
	.undo_cwnd	= tcp_reno_undo_cwnd,
	.cwnd_event	= cwv_paper_event,
};

static int __init cwv_paper_register(void)
{
	return tcp_register_congestion_control(&cwv_paper);
}
module_init(cwv_paper_register);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("CWV as described by Yanev et al. 2022: ssthresh forgotten after idle");
