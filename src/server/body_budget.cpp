#include "server/body_budget.h"

namespace rondo::server {

BodyBudget::Lease& BodyBudget::Lease::operator=(Lease&& other) noexcept {
  if (this == &other) return *this;
  release();
  budget_ = std::exchange(other.budget_, nullptr);
  address_ = std::move(other.address_);
  bytes_ = std::exchange(other.bytes_, 0);
  return *this;
}

bool BodyBudget::Lease::grow(std::size_t bytes) {
  if (budget_ == nullptr || bytes <= kUncounted || bytes <= bytes_) return true;
  if (!budget_->add(address_, bytes - bytes_)) return false;
  bytes_ = bytes;
  return true;
}

void BodyBudget::Lease::release() {
  if (budget_ != nullptr && bytes_ > 0) budget_->remove(address_, bytes_);
  bytes_ = 0;
}

std::size_t BodyBudget::used() const {
  const std::lock_guard lock(mutex_);
  return used_;
}

bool BodyBudget::add(const std::string& address, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto found = by_address_.find(address);
  const std::size_t own = found == by_address_.end() ? 0 : found->second;
  if (bytes > most_ - used_ || own + bytes > most_of_one_) return false;
  used_ += bytes;
  by_address_[address] += bytes;
  return true;
}

void BodyBudget::remove(const std::string& address, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  used_ -= bytes;
  const auto found = by_address_.find(address);
  if (found != by_address_.end() && (found->second -= bytes) == 0) by_address_.erase(found);
}

}  // namespace rondo::server
