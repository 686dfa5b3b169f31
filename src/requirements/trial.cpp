#include "rondo/requirements/trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "rondo/generate/generate.h"
#include "rondo/search/rank.h"

namespace rondo {
namespace {

/// Long enough that an alteration leaves most of it as it was, short enough for an incipit.
constexpr std::size_t kFewestNotes = 12;
constexpr std::size_t kMostNotes = 80;
constexpr std::size_t kCompanions = 2;

std::string family_of(const Piece& piece) {
  const std::string_view family = piece.metadata.field("family");
  return family.empty() ? piece.id : std::string(family);
}

bool worth_altering(const Piece& piece) {
  if (piece.voices.size() != 1 || !is_monophonic(piece.voices.front())) return false;
  const std::size_t notes = make_line(piece.voices.front()).size();
  return notes >= kFewestNotes && notes <= kMostNotes;
}

/// `wanted` of them, evenly spread.
std::vector<Piece> spread(const std::vector<const Piece*>& all, std::size_t wanted) {
  std::vector<Piece> out;
  const std::size_t count = std::min(wanted, all.size());
  for (std::size_t i = 0; i < count; ++i) out.push_back(*all[i * all.size() / count]);
  return out;
}

/// The melodies to look for: as they are, then each alteration of each requirement.
struct Targets {
  std::vector<Document> documents;
  std::vector<std::size_t> requirement;  ///< of each but the first
};

Targets make_targets(const Piece& query, const TrialMaterial& material, std::span<const Requirement* const> wanted) {
  Targets out;
  out.documents.push_back(make_document(query));
  for (std::size_t r = 0; r < wanted.size(); ++r) {
    for (const Alteration& alteration : wanted[r]->alterations) {
      out.documents.push_back(make_document(alteration.make(query, material.companions)));
      out.requirement.push_back(r);
    }
  }
  return out;
}

/// Ranks targets among the distractors. `corpus` has room for them at its end.
class Field {
 public:
  Field(const SystemRow& row, const TrialMaterial& material, unsigned threads)
      : row_(row),
        system_(row.make(Parameters(row.parameters))),
        material_(material),
        corpus_(material.distractors),
        threads_(threads) {
    material.distractors.teach(*system_);
  }

  /// The rank of each target when it alone stands among the distractors.
  std::vector<std::uint32_t> ranks(const Piece& query, std::vector<Document> targets) {
    const std::size_t others = material_.distractors.documents.size();
    const std::size_t count = targets.size();
    corpus_.documents.resize(others);
    std::move(targets.begin(), targets.end(), std::back_inserter(corpus_.documents));
    const std::string family = family_of(query);
    std::vector<char> chosen(others + count, 0);
    for (std::size_t i = 0; i < others; ++i) chosen[i] = material_.families[i] != family ? 1 : 0;

    // A score that depends on the two melodies alone does not mind the other targets: one ranking serves them all. To
    // a mixture they would be part of the collection.
    const std::size_t together = system_->mixture() == nullptr ? count : 1;
    const Line line = make_line(query.voices.front());
    std::vector<std::uint32_t> found(count, kNotFound);
    for (std::size_t begin = 0; begin < count; begin += together) {
      const auto first = chosen.begin() + static_cast<std::ptrdiff_t>(others + begin);
      std::fill_n(first, together, 1);
      const Ranking ranking = rank_all(row_, *system_, line, corpus_,
                                       {.k = kRanksLookedAt + together - 1, .threads = threads_, .chosen = chosen});
      std::fill_n(first, together, 0);
      std::uint32_t rank = 1;
      for (const Hit& hit : ranking.hits) {
        if (hit.document < others) {
          ++rank;
        } else {
          found[hit.document - others] = std::min(rank, kNotFound);
        }
      }
    }
    return found;
  }

 private:
  const SystemRow& row_;
  std::unique_ptr<System> system_;
  const TrialMaterial& material_;
  Corpus corpus_;
  unsigned threads_;
};

double reciprocal(std::uint32_t rank) { return rank == kNotFound ? 0 : 1.0 / rank; }

double mean_reciprocal(const std::vector<std::uint32_t>& ranks) {
  double sum = 0;
  for (const std::uint32_t rank : ranks) sum += reciprocal(rank);
  return ranks.empty() ? 0 : sum / static_cast<double>(ranks.size());
}

RequirementFigures summary(std::string_view system, std::string_view requirement, double unaltered,
                           const std::vector<std::uint32_t>& ranks) {
  RequirementFigures out{.system = std::string(system), .requirement = std::string(requirement)};
  out.trials = static_cast<std::uint32_t>(ranks.size());
  out.unaltered = unaltered;
  out.altered = mean_reciprocal(ranks);
  if (ranks.empty()) return out;
  out.first = static_cast<double>(std::count(ranks.begin(), ranks.end(), 1U)) / static_cast<double>(ranks.size());
  out.rank = std::accumulate(ranks.begin(), ranks.end(), 0.0) / static_cast<double>(ranks.size());
  return out;
}

}  // namespace

Result<TrialMaterial> make_trial(std::span<const Piece> collection, const TrialOptions& options) {
  TrialMaterial out;
  std::map<std::string, const Piece*> by_id;
  const auto add = [&](const Piece& piece) {
    out.distractors.documents.push_back(make_document(piece));
    out.families.push_back(family_of(piece));
  };
  for (const Piece& piece : collection) {
    add(piece);
    by_id.emplace(piece.id, &piece);
  }
  std::set<std::string> seen;
  std::vector<const Piece*> able;
  for (const auto& [id, piece] : by_id) {
    if (worth_altering(*piece) && seen.insert(family_of(*piece)).second) able.push_back(piece);
  }
  if (able.empty()) {
    return fail(
        "trial-empty", "none of the melodies can be altered", {},
        fmt::format("it takes a melody of one voice, without chords, of {} to {} notes", kFewestNotes, kMostNotes));
  }
  out.queries = spread(able, options.queries);

  const Generator generator(options.seed);
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < options.generated; ++i) add(generator.piece(number++));
  while (out.companions.size() < kCompanions) {
    Piece piece = generator.piece(number++);
    if (worth_altering(piece)) out.companions.push_back(std::move(piece));
  }
  return out;
}

std::vector<RequirementFigures> try_requirements(const SystemRow& row, const TrialMaterial& material,
                                                 std::span<const Requirement* const> wanted, unsigned threads) {
  Field field(row, material, threads);
  std::vector<std::uint32_t> unaltered;
  std::vector<std::vector<std::uint32_t>> altered(wanted.size());
  for (const Piece& query : material.queries) {
    Targets targets = make_targets(query, material, wanted);
    const std::vector<std::uint32_t> ranks = field.ranks(query, std::move(targets.documents));
    unaltered.push_back(ranks.front());
    for (std::size_t i = 0; i < targets.requirement.size(); ++i) {
      altered[targets.requirement[i]].push_back(ranks[i + 1]);
    }
  }
  const double before = mean_reciprocal(unaltered);
  std::vector<RequirementFigures> out;
  for (std::size_t r = 0; r < wanted.size(); ++r) {
    out.push_back(summary(row.name, wanted[r]->name, before, altered[r]));
  }
  return out;
}

}  // namespace rondo
