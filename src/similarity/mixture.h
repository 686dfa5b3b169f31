#pragma once

#include <limits>
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

/// The result of a mixture for one document.
struct Mixed {
  Score score;           ///< not comparable: not ranked
  std::size_t part = 0;  ///< the part that determines the voice and the tie break of the document
  friend bool operator==(const Mixed&, const Mixed&) = default;
};

/// A system that fuses the result lists of several systems into one ranking. Parts may be mixtures themselves.
///
/// The list of a part has every document that reaches the part's score at rank `depth`: ties are never split, so a list
/// does not depend on how they are broken. The candidates are the documents of all lists.
class Mixture : public System {
 public:
  /// At least one part.
  explicit Mixture(std::vector<Part> parts) : parts_(std::move(parts)) {}

  [[nodiscard]] std::span<const Part> parts() const { return parts_; }

  /// An unlimited list: every document the part finds.
  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  /// The length of the lists of the parts if k hits are requested.
  [[nodiscard]] virtual std::size_t depth(std::size_t k) const = 0;
  /// Whether the list of this part adds candidates; if not, the part only scores the candidates of the others.
  [[nodiscard]] virtual bool proposes(std::size_t /*part*/) const { return true; }

  /// Fills `out`, one for each candidate. `part_scores` has one vector for each part, all as long as the candidates; a
  /// score that is not comparable means that the document is not in the list of the part. `k`: the number of hits
  /// requested. Must be a pure function of these, so that the same lists always give the same ranking.
  virtual void mix(std::span<const std::vector<Score>> part_scores, std::size_t k, std::vector<Mixed>& out) const = 0;

  /// Minimal number of notes of a query: the minimum over the parts.
  [[nodiscard]] std::size_t shortest() const;

  void learn(const Line& document) override;
  [[nodiscard]] bool learns() const override;
  [[nodiscard]] const Mixture* mixture() const override { return this; }
  /// For two melodies without a collection: the score and explanation of the part `pairwise`, or of the first part that
  /// can compare them; the summary has the score of every part.
  [[nodiscard]] std::unique_ptr<PreparedQuery> prepare(const Line& query) const override;

 protected:
  /// The part that scores a pair of melodies.
  [[nodiscard]] virtual std::size_t pairwise() const { return 0; }

 private:
  std::vector<Part> parts_;
};

/// A part with its default parameters. Precondition: the name is in the table of systems.
[[nodiscard]] Part standard_part(std::string_view name);

}  // namespace rondo
