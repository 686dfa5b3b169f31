#include "server/seats.h"

namespace rondo::server {

Seats::Kind Seats::take(const std::string& address) {
  const std::lock_guard lock(mutex_);
  const auto found = by_address_.find(address);
  const Count own = found == by_address_.end() ? Count() : found->second;
  if (all_.served < limits_.served && own.served < limits_.served_of_one) {
    ++all_.served;
    ++by_address_[address].served;
    return Kind::served;
  }
  if (!may_linger(own)) return Kind::none;
  ++all_.lingering;
  ++by_address_[address].lingering;
  return Kind::lingering;
}

bool Seats::linger(const std::string& address) {
  const std::lock_guard lock(mutex_);
  Count& own = by_address_[address];
  if (!may_linger(own)) return false;
  --all_.served;
  --own.served;
  ++all_.lingering;
  ++own.lingering;
  return true;
}

void Seats::leave(const std::string& address, Kind kind) {
  if (kind == Kind::none) return;
  const std::lock_guard lock(mutex_);
  const auto found = by_address_.find(address);
  if (found == by_address_.end()) return;
  const auto part = kind == Kind::served ? &Count::served : &Count::lingering;
  --(all_.*part);
  --(found->second.*part);
  if (found->second.served == 0 && found->second.lingering == 0) by_address_.erase(found);
}

}  // namespace rondo::server
