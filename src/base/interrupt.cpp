#include "base/interrupt.h"

namespace rondo {
namespace {

thread_local InterruptScope* innermost_scope = nullptr;

}  // namespace

InterruptScope::InterruptScope(Wanted ask, void* context) : wanted_(ask), context_(context), outer_(innermost_scope) {
  innermost_scope = this;
}

InterruptScope::~InterruptScope() { innermost_scope = outer_; }

const InterruptScope* InterruptScope::innermost() { return innermost_scope; }

bool interrupted() { return innermost_scope != nullptr && innermost_scope->wanted_(innermost_scope->context_); }

}  // namespace rondo
