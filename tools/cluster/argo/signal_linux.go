package osspecific

import (
	"errors"
	"os"
	"syscall"

	argoerrors "github.com/argoproj/argo-workflows/v3/util/errors"
)

// Term asks a process to end.
var Term = syscall.SIGTERM

// CanIgnoreSignal says whether a signal concerns the executor alone: of its children, or of the Go
// runtime, which preempts by SIGURG.
func CanIgnoreSignal(s os.Signal) bool {
	return s == syscall.SIGCHLD || s == syscall.SIGURG
}

// Kill signals the process group that a step leads, or the process where it leads none.
func Kill(pid int, s syscall.Signal) error {
	if group, err := syscall.Getpgid(pid); err == nil {
		return syscall.Kill(-group, s)
	}
	return syscall.Kill(pid, s)
}

// Setpgid has a command lead a process group of its own.
func Setpgid(a *syscall.SysProcAttr) {
	a.Setpgid = true
}

// Wait waits for a step's process and returns its exit code as an error, 128 + signal where one
// ended it. The executor is process 1 of its container: it reaps whatever else ends before.
func Wait(process *os.Process) error {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case errors.Is(err, syscall.EINTR) || err == nil && pid != process.Pid:
			continue
		case err != nil:
			return err
		case status.Signaled():
			return argoerrors.NewExitErr(128 + int(status.Signal()))
		default:
			return argoerrors.NewExitErr(status.ExitStatus())
		}
	}
}
