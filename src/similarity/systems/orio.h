#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "similarity/mixture.h"
#include "similarity/ngram_cosine.h"

/// The internals of Orio that its fast search needs.
namespace rondo::orio {

inline constexpr std::size_t kParts = kFeatures.size() * kLevels.size();

/// The parts of this system, feature by feature and each from fine to coarse.
using Parts = std::array<const NgramCosine*, kParts>;

/// The step to a note from the one before, at all levels at once: a byte for each feature.
struct StepCode {
  std::uint8_t interval = 0;
  std::uint8_t time = 0;
};
/// Appends the codes of a melody, one for each note; that of the first is unused.
void append_steps(const Line& line, std::vector<StepCode>& out);
/// The symbol of level_symbols for such a step. The symbol of both features is the sum of the two.
[[nodiscard]] std::uint16_t interval_symbol_of(std::uint8_t code, Level level);
[[nodiscard]] std::uint16_t time_symbol_of(std::uint8_t code, Level level);

/// Query-independent data of the documents of a collection that the system has learnt.
struct Digest {
  /// A group of documents that are stored together.
  struct Group {
    const void* key = nullptr;                        ///< identifies them: an address in `memory`
    std::vector<StepCode> steps;                      ///< of all notes of all documents
    std::vector<std::array<double, kParts>> squares;  ///< by document: the sums of squares of its weights under each
                                                      ///< part
  };
  std::shared_ptr<const void> memory;  ///< kept alive, so that no address is reused
  std::vector<Group> groups;

  [[nodiscard]] const Group* find(const void* key) const;
};

/// What the system has learnt, as referred to by its plan; a search stores its digest here.
struct Learnt {
  Parts parts{};
  std::shared_ptr<const Digest> digest{};  ///< null: none yet, or the system has learnt more since
};

/// For a system with this plan; null for others.
[[nodiscard]] std::shared_ptr<Learnt> learnt_by(const System& system);

}  // namespace rondo::orio
