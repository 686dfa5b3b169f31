#pragma once

#include "rondo/melody/voice.h"

namespace rondo {

/// in_force() for ascending times: goes through the changes once.
template <typename T>
class ChangeCursor {
 public:
  /// The changes must outlive the cursor.
  explicit ChangeCursor(const std::vector<Change<T>>& changes) : changes_(changes) {}

  /// The value in force at `onset`, or nullptr before the first; `onset` must not be before that of the last call.
  const T* at(Fraction onset) {
    while (next_ < changes_.size() && changes_[next_].onset <= onset) ++next_;
    return next_ == 0 ? nullptr : &changes_[next_ - 1].value;
  }

 private:
  const std::vector<Change<T>>& changes_;
  std::size_t next_ = 0;
};

/// Sharps (positive) or flats of the signature in force; 0 where there is none or it is no usual one.
inline int fifths_at(ChangeCursor<KeySignature>& cursor, Fraction onset) {
  const KeySignature* signature = cursor.at(onset);
  return signature == nullptr ? 0 : signature->fifths().value_or(0);
}

}  // namespace rondo
