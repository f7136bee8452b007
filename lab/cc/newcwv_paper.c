// SPDX-License-Identifier: GPL-2.0
/*
 * newcwv_paper: what "Does TCP's New Congestion Window Validation Improve HTTP Adaptive
 * Streaming Performance?" (Yanev, McQuistin, Perkins, NOSSDAV 2022) draws as New CWV in its
 * figure 1: after a pause slow start from the initial window up to the window of before the
 * pause, then congestion avoidance.
 *
 * Reno in all but the restart. cwnd itself is taken back by the kernel (one halving per RTO
 * of silence, not below the initial window), so net.ipv4.tcp_slow_start_after_idle must be 1.
 * It differs from RFC 7661 (newcwv.c), where cwnd is kept, and a loss after the pause is
 * answered by what was in the network; here it is answered as Reno does.
 */
#include <linux/module.h>
#include <net/tcp.h>

struct newcwv_paper {
	u32	window;		/* before the pause, segments */
	u32	pause;		/* when it began, jiffies; names the pause */
	bool	paused;		/* the two above are set */
};

static void newcwv_paper_init(struct sock *sk)
{
	memset(inet_csk_ca(sk), 0, sizeof(struct newcwv_paper));
}

/* The kernel restarts once per buffer queued before the first is sent: only the first of a
 * pause still sees the window of before it. It sets ssthresh right after this, never lower.
 */
static void newcwv_paper_event(struct sock *sk, enum tcp_ca_event event)
{
	struct newcwv_paper *ca = inet_csk_ca(sk);
	struct tcp_sock *tp = tcp_sk(sk);

	if (event != CA_EVENT_CWND_RESTART)
		return;
	if (!ca->paused || ca->pause != tp->lsndtime) {
		ca->window = tcp_snd_cwnd(tp);
		ca->pause = tp->lsndtime;
		ca->paused = true;
	}
	WRITE_ONCE(tp->snd_ssthresh, ca->window);
}

static struct tcp_congestion_ops newcwv_paper __read_mostly = {
	.name		= "newcwv_paper",
	.owner		= THIS_MODULE,
	.flags		= TCP_CONG_NON_RESTRICTED,
	.init		= newcwv_paper_init,
	.ssthresh	= tcp_reno_ssthresh,
	.cong_avoid	= tcp_reno_cong_avoid,
	.undo_cwnd	= tcp_reno_undo_cwnd,
	.cwnd_event	= newcwv_paper_event,
};

static int __init newcwv_paper_register(void)
{
	BUILD_BUG_ON(sizeof(struct newcwv_paper) > ICSK_CA_PRIV_SIZE);
	return tcp_register_congestion_control(&newcwv_paper);
}
module_init(newcwv_paper_register);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("New CWV as drawn by Yanev et al. 2022");
