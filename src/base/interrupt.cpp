#include "base/interrupt.h"

namespace rondo {
namespace {

thread_local InterruptScope* innermost_scope = nullptr;

}  // namespace

InterruptScope::InterruptScope(Wanted ask, void* context, Grown grown)
    : wanted_(ask), context_(context), grown_(grown), outer_(innermost_scope) {
  innermost_scope = this;
}

InterruptScope::~InterruptScope() { innermost_scope = outer_; }

const InterruptScope* InterruptScope::innermost() { return innermost_scope; }

bool interrupted() { return innermost_scope != nullptr && innermost_scope->wanted_(innermost_scope->context_); }

bool interrupted_after(std::size_t bytes) {
  for (const InterruptScope* scope = innermost_scope; scope != nullptr; scope = scope->outer_) {
    if (scope->grown_ == nullptr) continue;
    if (scope->grown_(scope->context_, bytes)) return true;
    break;
  }
  return interrupted();
}

}  // namespace rondo
