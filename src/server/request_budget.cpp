#include "server/request_budget.h"

#include <fmt/format.h>

namespace rondo::server {

bool RequestBudget::is_late(void* self) {
  auto& budget = *static_cast<RequestBudget*>(self);
  if (budget.late_) return true;
  if (!budget.stop_.stop_requested() && Clock::now() < budget.deadline_) return false;
  budget.late_ = true;
  return true;
}

bool RequestBudget::has_grown(void* self, std::size_t bytes) {
  auto& budget = *static_cast<RequestBudget*>(self);
  return (budget.bytes_ += bytes) > budget.most_bytes_;
}

std::optional<Error> RequestBudget::exceeded() const {
  if (auto error = too_large(bytes_, most_bytes_)) return error;
  if (!late_) return std::nullopt;
  return Error{"server-time",
               "the request takes longer than the time limit of this server",
               {},
               "ask for less at once; whoever runs the server can raise --time-limit"};
}

std::optional<Error> RequestBudget::too_large(std::size_t bytes, std::size_t most) {
  if (bytes <= most) return std::nullopt;
  return Error{"result-too-large",
               fmt::format("the result is larger than {} MB", most >> 20U),
               {},
               "ask for less at once: fewer runs, measures or queries, or shorter melodies"};
}

}  // namespace rondo::server
