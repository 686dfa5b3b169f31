#pragma once

#include <span>
#include <string>
#include <vector>

#include "rondo/similarity/system.h"

namespace rondo {

/// One of the systems a mixture is made of.
struct Part {
  const SystemRow* row = nullptr;
  std::string name;  ///< as the user wrote it; the row's own unless that is a mixture with chosen parts
  std::unique_ptr<System> system;
};

/// What a mixture makes of one document.
struct Mixed {
  Score score;           ///< not comparable: no part found the document
  std::size_t part = 0;  ///< the part whose voice, and whose rule between equal scores, stands for the document
  friend bool operator==(const Mixed&, const Mixed&) = default;
};

/// A system whose scores depend on those of the whole collection: it ranks with several systems and makes one ranking
/// of theirs. Parts may be mixtures themselves.
class Mixture : public System {
 public:
  /// At least one part.
  explicit Mixture(std::vector<Part> parts) : parts_(std::move(parts)) {}

  [[nodiscard]] std::span<const Part> parts() const { return parts_; }

  /// Fills `out`, one for each document. `part_scores` has one vector for each part, all as long as the collection; a
  /// score that is not comparable says that the part did not find the document (too short, or nothing in common).
  /// `k`: how many hits are wanted, for mixtures that look closer at the best. Depends on nothing else, so that the
  /// same scores always give the same ranking.
  virtual void mix(std::span<const std::vector<Score>> part_scores, std::size_t k, std::vector<Mixed>& out) const = 0;

  /// Notes a query needs: those of the least demanding part.
  [[nodiscard]] std::size_t shortest() const;

  void learn(const Line& document) override;
  [[nodiscard]] bool learns() const override;
  [[nodiscard]] const Mixture* mixture() const override { return this; }
  /// Two melodies alone, without a collection: the score of the part `pairwise` names, or of the first part that can
  /// compare them, explained by that part; the summary has the score of every part.
  [[nodiscard]] std::unique_ptr<PreparedQuery> prepare(const Line& query) const override;

 protected:
  /// The part that speaks for a pair of melodies.
  [[nodiscard]] virtual std::size_t pairwise() const { return 0; }

 private:
  std::vector<Part> parts_;
};

/// A part with its standard parameters. The name must be one of the table's: another is a bug.
[[nodiscard]] Part standard_part(std::string_view name);

}  // namespace rondo
