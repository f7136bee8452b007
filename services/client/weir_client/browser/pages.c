// Preloaded into a player of Node.js: memory is there when it is asked for. In a lab kernel each page
// that is touched for the first time is handed to the kernel's process and back, as a system call
// is, and nearly all that V8 and malloc ask for is touched.
#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE_BYTES 4096
#define HEAP_BYTES (10 << 20)  // of malloc: what dash.js fills in a minute
#define LARGE_BYTES (128 << 10) // from here on malloc maps, as by default: bodies are never touched
#define CHUNK_BYTES (1 << 20)  // V8's have 256 KiB; what is larger may stay empty

static void have(void *at, size_t bytes)
{
	uintptr_t begin = ((uintptr_t)at + PAGE_BYTES - 1) & -PAGE_BYTES;
	uintptr_t end = ((uintptr_t)at + bytes) & -PAGE_BYTES;

	madvise((void *)begin, end - begin, MADV_POPULATE_WRITE);
}

__attribute__((constructor)) static void begin(void)
{
	void *heap;

	mallopt(M_TRIM_THRESHOLD, 2 * HEAP_BYTES);
	mallopt(M_MMAP_THRESHOLD, 2 * HEAP_BYTES);
	heap = malloc(HEAP_BYTES);
	have(heap, HEAP_BYTES);
	free(heap);
	mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
}

int mprotect(void *at, size_t bytes, int may)
{
	int result = syscall(SYS_mprotect, at, bytes, may);

	if (result == 0 && may == (PROT_READ | PROT_WRITE) && bytes <= CHUNK_BYTES)
		have(at, bytes);
	return result;
}
