#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <span>
#include <string>

#include "rondo/base/result.h"

/// For nvcc alone: memory of a card, and what its errors are called.
namespace rondo::gpu {

inline Failure failure(cudaError_t status, const char* doing) {
  const bool memory = status == cudaErrorMemoryAllocation;
  // An allocation that failed leaves the card usable; the error must not be seen again by the next call.
  if (memory) (void)cudaGetLastError();
  return fail(memory ? "device-memory" : "device-failed",
              std::string("the graphics card failed while ") + doing + ": " + cudaGetErrorString(status), {},
              "what was found so far is kept: the same command with --device cpu goes on");
}

/// A queue of work for the card, and a way to wait for it that leaves the processor to others: searches of a server
/// that wait for a batch would otherwise keep as many cores busy. The first moments are spun, as most waits of a single
/// query are shorter than what a sleeping thread takes to wake up. What copies to memory that is not pinned waits for
/// all work before it by spinning, so wait before such a copy.
class Stream {
 public:
  Stream() = default;
  ~Stream() {
    if (event_ != nullptr) (void)cudaEventDestroy(event_);
    if (stream_ != nullptr) (void)cudaStreamDestroy(stream_);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  [[nodiscard]] cudaError_t make() {
    const cudaError_t status = cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking);
    if (status != cudaSuccess) return status;
    return cudaEventCreateWithFlags(&event_, cudaEventBlockingSync | cudaEventDisableTiming);
  }
  [[nodiscard]] cudaStream_t get() const { return stream_; }
  /// Returns when all work is done; its error if it failed.
  [[nodiscard]] cudaError_t wait() const {
    constexpr std::chrono::microseconds kSpun(150);
    const auto until = std::chrono::steady_clock::now() + kSpun;
    do {
      const cudaError_t status = cudaStreamQuery(stream_);
      if (status != cudaErrorNotReady) return status;
    } while (std::chrono::steady_clock::now() < until);
    const cudaError_t status = cudaEventRecord(event_, stream_);
    return status == cudaSuccess ? cudaEventSynchronize(event_) : status;
  }
  /// Copies to memory of the CPU when all work is done.
  [[nodiscard]] cudaError_t fetch(void* to, const void* from, std::size_t bytes) const {
    cudaError_t status = wait();
    if (status == cudaSuccess) status = cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_);
    return status == cudaSuccess ? cudaStreamSynchronize(stream_) : status;
  }

 private:
  cudaStream_t stream_ = nullptr;
  cudaEvent_t event_ = nullptr;
};

/// Memory of the card.
template <class T>
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  ~DeviceBuffer() { (void)cudaFree(data_); }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  [[nodiscard]] cudaError_t allocate(std::size_t count) {
    (void)cudaFree(data_);
    data_ = nullptr;
    size_ = 0;
    const std::size_t bytes = std::max<std::size_t>(1, count) * sizeof(T);
    const cudaError_t status = cudaMalloc(reinterpret_cast<void**>(&data_), bytes);
    if (status == cudaSuccess) size_ = count;
    return status;
  }
  /// Makes room for so many; what was there may be lost.
  [[nodiscard]] cudaError_t grow(std::size_t count) { return count <= size_ ? cudaSuccess : allocate(count); }
  [[nodiscard]] cudaError_t fill(std::span<const T> from) {
    if (const cudaError_t status = allocate(from.size()); status != cudaSuccess) return status;
    return cudaMemcpy(data_, from.data(), from.size_bytes(), cudaMemcpyHostToDevice);
  }
  [[nodiscard]] T* data() const { return data_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace rondo::gpu
