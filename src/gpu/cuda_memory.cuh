#pragma once

#include <cuda_runtime.h>

#include <algorithm>
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
