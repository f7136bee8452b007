// SPDX-License-Identifier: GPL-2.0
/*
 * fixed_window: an example of bringing your own congestion control.
 *
 * The congestion window is 20 segments and stays so, whatever is lost or delayed. No one
 * should run this on a network; in the lab its effect is easy to see (the cwnd trace is
 * a straight line at 20) and its rate easy to predict: 20 * MSS per RTT, until the
 * bottleneck's queue says otherwise.
 *
 * To bring another: copy this file to a new name in this folder, fill in the hooks of
 * struct tcp_congestion_ops (include/net/tcp.h) and rename. The build picks up every .c
 * file here; an experiment names it by .name (server.congestion_control). Keep
 * TCP_CONG_NON_RESTRICTED: a network namespace may then choose it.
 */
#include <linux/module.h>
#include <net/tcp.h>

#define WINDOW_SEGMENTS 20u

static void fixed_window_init(struct sock *sk)
{
	tcp_snd_cwnd_set(tcp_sk(sk), WINDOW_SEGMENTS);
	tcp_sk(sk)->snd_ssthresh = WINDOW_SEGMENTS;
}

static u32 fixed_window_ssthresh(struct sock *sk)
{
	return WINDOW_SEGMENTS;
}

static u32 fixed_window_undo_cwnd(struct sock *sk)
{
	return WINDOW_SEGMENTS;
}

/* Defining cong_control replaces the kernel's own growth, recovery and idle restart. */
static void fixed_window_control(struct sock *sk, u32 ack, int flag, const struct rate_sample *rs)
{
	tcp_snd_cwnd_set(tcp_sk(sk), WINDOW_SEGMENTS);
}

static struct tcp_congestion_ops fixed_window __read_mostly = {
	.name		= "fixed_window",
	.owner		= THIS_MODULE,
	.flags		= TCP_CONG_NON_RESTRICTED,
	.init		= fixed_window_init,
	.ssthresh	= fixed_window_ssthresh,
	.undo_cwnd	= fixed_window_undo_cwnd,
	.cong_control	= fixed_window_control,
};

static int __init fixed_window_register(void)
{
	return tcp_register_congestion_control(&fixed_window);
}
module_init(fixed_window_register);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Fixed congestion window, an example");
