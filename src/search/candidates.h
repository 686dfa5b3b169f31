#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rondo/base/result.h"
#include "rondo/store/collection.h"
#include "search/filter.h"

namespace rondo {

/// How a set of candidates is made; stored with the set, so that it can be made again when the collection has grown.
struct CandidateRecipe {
  std::string query{};   ///< id of a melody of the collection
  std::string filter{};  ///< the text of a file of steps; may be empty
  struct Top {
    std::string system;
    std::size_t hits = 0;
    friend bool operator==(const Top&, const Top&) = default;
  };
  std::vector<Top> systems{};          ///< the best of each are added, whatever the filter said
  std::vector<std::string> titles{};   ///< words; pieces whose title has them are added
  std::vector<std::string> include{};  ///< ids: added by hand, and never folded
  std::vector<std::string> exclude{};  ///< ids: taken out by hand
  friend bool operator==(const CandidateRecipe&, const CandidateRecipe&) = default;
};

struct Candidate {
  enum class Status : std::uint8_t {
    chosen,    ///< to be judged
    folded,    ///< contained in another, and gets the group of that one
    excluded,  ///< by hand
  };
  std::string id;
  std::uint32_t voice = 0;  ///< of the piece, from 0
  /// "query", "filter", "title", "hand", systems with the rank at which they found it ("P3#4"); separated by blanks.
  std::string origin;
  Status status = Status::chosen;
  std::string folded_into;  ///< id of a chosen one
  std::string relation;     ///< "identical", "transposition", "part"
  friend bool operator==(const Candidate&, const Candidate&) = default;
};
[[nodiscard]] std::string_view to_string(Candidate::Status status);

/// The melodies that experts are asked to compare with a query (Typke and others, 2004): those that pass a filter, and
/// those that systems and titles found although they do not, without duplicates. The input of a study.
struct CandidateSet {
  std::string name;
  std::string made;  ///< UTC
  CandidateRecipe recipe;
  std::uint64_t total = 0;  ///< melodies before the first step
  std::vector<FunnelStep> funnel;
  std::vector<Candidate> candidates;  ///< the query first, then in the order they were found
  [[nodiscard]] std::size_t count(Candidate::Status status) const;
};

/// More than this many before folding is the error `candidates-many`: nobody can compare them.
inline constexpr std::size_t kMostCandidates = 5'000;

/// Makes a set from a recipe. Does not store it.
[[nodiscard]] Result<CandidateSet> make_candidates(Collection& collection, std::string name, CandidateRecipe recipe,
                                                   unsigned threads = 1);

/// Replaces the set of that name.
[[nodiscard]] Result<void> save_candidates(Collection& collection, const CandidateSet& set);
/// Error `candidates-missing`, which lists the existing names.
[[nodiscard]] Result<CandidateSet> load_candidates(Collection& collection, std::string_view name);
[[nodiscard]] Result<std::vector<std::string>> candidate_sets(Collection& collection);
/// false: there was none.
[[nodiscard]] Result<bool> remove_candidates(Collection& collection, std::string_view name);

/// Everything about a set, for people and programs.
[[nodiscard]] std::string to_json(const CandidateSet& set);

}  // namespace rondo
