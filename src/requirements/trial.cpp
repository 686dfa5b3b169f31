#include "requirements/trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "generate/generate.h"
#include "search/rank.h"

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

bool same_line(const Line& a, const Line& b) {
  return a.pitch == b.pitch && a.base40 == b.base40 && a.onset == b.onset && a.duration == b.duration &&
         a.bars == b.bars && a.ticks_per_whole == b.ticks_per_whole;
}

/// Whether no system can tell the two apart.
bool same_document(const Document& a, const Document& b) {
  return std::equal(a.voices.begin(), a.voices.end(), b.voices.begin(), b.voices.end(), same_line) &&
         a.points.ticks_per_whole == b.points.ticks_per_whole && a.points.points == b.points.points;
}

/// One alteration of one melody: what is looked for, and with what.
struct Target {
  Document document;
  Line query;
};

/// What is looked for as it is, then in each alteration of each requirement.
std::vector<Target> make_targets(const Piece& original, const TrialMaterial& material,
                                 std::span<const Requirement* const> wanted) {
  const Line as_it_is = make_line(original.voices.front());
  std::vector<Target> out;
  out.push_back({make_document(original), as_it_is});
  for (const Requirement* requirement : wanted) {
    for (const Alteration& alteration : requirement->alterations) {
      out.push_back({make_document(alteration.make(original, material.companions)),
                     alteration.query == nullptr ? as_it_is : make_line(alteration.query(original).voices.front())});
    }
  }
  return out;
}

/// Ranks targets among the distractors.
class TargetRanker {
 public:
  TargetRanker(const SystemRow& row, const TrialMaterial& material, unsigned threads)
      : row_(row),
        system_(row.make(Parameters(row.parameters))),
        material_(material),
        corpus_(material.distractors),
        threads_(threads) {
    material.distractors.teach(*system_);
  }

  /// The rank of each target when it alone stands among the distractors. `family` is not among them.
  std::vector<std::uint32_t> ranks(const std::string& family, std::vector<Target> targets) {
    const std::size_t others = material_.distractors.documents.size();
    chosen_.assign(others, 0);
    for (std::size_t i = 0; i < others; ++i) chosen_[i] = material_.families[i] != family ? 1 : 0;

    // A score that depends on the two melodies alone does not mind the other targets: one ranking serves all that are
    // looked for with one query. To a mixture they would be part of the collection.
    const bool together = system_->mixture() == nullptr;
    std::vector<std::uint32_t> found(targets.size(), kNotFound);
    std::vector<char> done(targets.size(), 0);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (done[i] != 0) continue;
      std::vector<std::size_t> now;
      std::vector<std::pair<std::size_t, std::size_t>> same;  // a target, and an earlier one that looks the same
      for (std::size_t j = i; j < targets.size(); ++j) {
        if (done[j] != 0 || !same_line(targets[j].query, targets[i].query)) continue;
        const auto twin = std::find_if(now.begin(), now.end(), [&](std::size_t k) {
          return same_document(targets[k].document, targets[j].document);
        });
        if (twin != now.end()) {
          same.emplace_back(j, *twin);
        } else if (together || now.empty()) {
          now.push_back(j);
        } else {
          continue;
        }
        done[j] = 1;
      }
      rank_among(targets, now, found);
      for (const auto& [target, earlier] : same) found[target] = found[earlier];
    }
    return found;
  }

 private:
  void rank_among(const std::vector<Target>& targets, const std::vector<std::size_t>& now,
                  std::vector<std::uint32_t>& found) {
    const std::size_t others = material_.distractors.documents.size();
    corpus_.documents.resize(others);
    for (const std::size_t i : now) corpus_.documents.push_back(targets[i].document);
    chosen_.resize(others);
    chosen_.resize(others + now.size(), 1);
    const Ranking ranking = rank_all(row_, *system_, targets[now.front()].query, corpus_,
                                     {.k = kRanksLookedAt + now.size() - 1, .threads = threads_, .chosen = chosen_});
    std::uint32_t rank = 1;
    for (const Hit& hit : ranking.hits) {
      if (hit.document < others) {
        ++rank;
      } else {
        found[now[hit.document - others]] = std::min(rank, kNotFound);
      }
    }
  }

  const SystemRow& row_;
  std::unique_ptr<System> system_;
  const TrialMaterial& material_;
  Corpus corpus_;  ///< the distractors, and behind them what is looked for now
  std::vector<char> chosen_;
  unsigned threads_;
};

double reciprocal(std::uint32_t rank) { return rank == kNotFound ? 0 : 1.0 / rank; }

double mean_reciprocal(const std::vector<std::uint32_t>& ranks) {
  double sum = 0;
  for (const std::uint32_t rank : ranks) sum += reciprocal(rank);
  return ranks.empty() ? 0 : sum / static_cast<double>(ranks.size());
}

RequirementFigures summary(const std::vector<std::uint32_t>& unaltered, const std::vector<std::uint32_t>& ranks) {
  RequirementFigures out;
  out.trials = static_cast<std::uint32_t>(ranks.size());
  out.unaltered = mean_reciprocal(unaltered);
  out.altered = mean_reciprocal(ranks);
  if (ranks.empty()) return out;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i] != kNotFound && ranks[i] <= unaltered[i]) ++out.kept;
  }
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
  for (std::size_t i = 0; i < options.generated; ++i) {
    const Piece piece = generator.piece(number++);
    add(piece);
    if (options.fill && out.queries.size() < options.queries && worth_altering(piece) &&
        seen.insert(family_of(piece)).second) {
      out.queries.push_back(piece);
      ++out.generated_queries;
    }
  }
  while (out.companions.size() < kCompanions) {
    Piece piece = generator.piece(number++);
    if (worth_altering(piece)) out.companions.push_back(std::move(piece));
  }
  return out;
}

std::vector<RequirementFigures> try_requirements(const SystemRow& row, const TrialMaterial& material,
                                                 std::span<const Requirement* const> wanted, unsigned threads) {
  TargetRanker ranker(row, material, threads);
  std::vector<std::uint32_t> unaltered;
  std::vector<std::vector<std::uint32_t>> altered;
  for (const Piece& query : material.queries) {
    const std::vector<std::uint32_t> ranks = ranker.ranks(family_of(query), make_targets(query, material, wanted));
    unaltered.push_back(ranks.front());
    altered.resize(ranks.size() - 1);
    for (std::size_t i = 0; i < altered.size(); ++i) altered[i].push_back(ranks[i + 1]);
  }
  std::vector<RequirementFigures> out;
  for (const Requirement* requirement : wanted) {
    for (const Alteration& alteration : requirement->alterations) {
      RequirementFigures& one = out.emplace_back(summary(unaltered, altered[out.size()]));
      one.system = row.name;
      one.requirement = requirement->name;
      one.alteration = alteration.name;
    }
  }
  return out;
}

}  // namespace rondo
