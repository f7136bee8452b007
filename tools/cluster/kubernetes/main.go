// Command kubernetes is a whole cluster's programs in one, which its name chooses among: linked as
// `kubelet` it is the kubelet. They share most of their code and so build in a fraction of the time.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	kubectl "k8s.io/kubectl/pkg/cmd"
	"k8s.io/kubectl/pkg/cmd/util"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	proxy "k8s.io/kubernetes/cmd/kube-proxy/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

func main() {
	var chosen *cobra.Command
	switch name := filepath.Base(os.Args[0]); name {
	case "etcd":
		etcdmain.Main(os.Args)
		return
	case "kubectl":
		if err := cli.RunNoErrOutput(kubectl.NewDefaultKubectlCommand()); err != nil {
			util.CheckErr(err)
		}
		return
	case "kube-apiserver":
		chosen = apiserver.NewAPIServerCommand()
	case "kube-controller-manager":
		chosen = controllers.NewControllerManagerCommand()
	case "kube-scheduler":
		chosen = scheduler.NewSchedulerCommand()
	case "kube-proxy":
		chosen = proxy.NewProxyCommand()
	case "kubelet":
		chosen = kubelet.NewKubeletCommand(context.Background())
	default:
		fmt.Fprintf(os.Stderr, "%s: link this program as etcd, kubectl, kube-apiserver, "+
			"kube-controller-manager, kube-scheduler, kube-proxy or kubelet\n", name)
		os.Exit(2)
	}
	os.Exit(cli.Run(chosen))
}
