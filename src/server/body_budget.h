#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

namespace rondo::server {

/// The memory of the bodies of requests and answers, over all connections: one address gets at most half of it, and
/// beyond it a request is refused. Small bodies are not counted, so that votes and searches are accepted even when
/// uploads fill it; the limit of connections bounds them. Thread-safe.
class BodyBudget {
 public:
  static constexpr std::size_t kUncounted = std::size_t{64} << 10U;

  /// `of_one`: for one address.
  BodyBudget(std::size_t all, std::size_t of_one) : most_(all), most_of_one_(of_one) {}

  /// The share of one request or answer; returned by its destructor.
  class Lease {
   public:
    Lease() = default;
    Lease(BodyBudget& budget, std::string address) : budget_(&budget), address_(std::move(address)) {}
    ~Lease() { release(); }
    Lease(Lease&& other) noexcept { *this = std::move(other); }
    Lease& operator=(Lease&& other) noexcept;
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    /// The body has so many bytes now. False: there is no room for them.
    [[nodiscard]] bool grow(std::size_t bytes);
    void release();

   private:
    BodyBudget* budget_ = nullptr;
    std::string address_;
    std::size_t bytes_ = 0;  ///< counted
  };

  [[nodiscard]] std::size_t used() const;

 private:
  [[nodiscard]] bool add(const std::string& address, std::size_t bytes);
  void remove(const std::string& address, std::size_t bytes);

  std::size_t most_;
  std::size_t most_of_one_;
  mutable std::mutex mutex_;
  std::size_t used_ = 0;
  std::unordered_map<std::string, std::size_t> by_address_;
};

}  // namespace rondo::server
