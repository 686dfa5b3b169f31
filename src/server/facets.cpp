#include "server/facets.h"

#include <algorithm>

#include "melody/century.h"
#include "store/sqlite.h"

namespace rondo::server {
namespace {

constexpr std::size_t kMostValues = 50;

/// Number of facets whose selection a piece does not match, and the last of them.
struct Misses {
  std::size_t count = 0;
  std::size_t facet = 0;
};

}  // namespace

std::string century_of(std::string_view year) {
  const auto century = rondo::century_of(year);
  return century ? std::to_string(*century) : std::string();
}

void Facets::Column::add(const std::string& name) {
  const auto [found, is_new] = numbers.emplace(name, static_cast<std::uint32_t>(names.size()));
  if (is_new) names.push_back(name);
  values.push_back(found->second);
}

std::vector<bool> Facets::Column::picked(const std::vector<std::string>& wanted) const {
  std::vector<bool> flags(names.size(), wanted.empty());
  for (const std::string& name : wanted) {
    if (const auto found = numbers.find(name); found != numbers.end()) flags[found->second] = true;
  }
  return flags;
}

Result<Facets> Facets::of(Collection& collection) {
  Facets facets;
  auto statement = database_of(collection)
                       .prepare(
                           "SELECT p.key, p.composer, coalesce(nullif(v.musical_key, ''), v.key_signature, ''), "
                           "coalesce(v.time, ''), "
                           "coalesce(v.clef, ''), p.year, p.library FROM piece p LEFT JOIN voice v ON v.piece = p.key "
                           "AND v.number = 0 "
                           "ORDER BY p.key");
  if (!statement) return fail(std::move(statement.error()));
  for (;;) {
    auto row = statement->step();
    if (!row) return fail(std::move(row.error()));
    if (!*row) return facets;
    facets.pieces_.push_back(PieceKey{statement->integer(0)});
    for (std::size_t f = 0; f < kFacets.size(); ++f) {
      const std::string_view value = statement->bytes(static_cast<int>(f) + 1);
      facets.columns_[f].add(kFacets[f] == "century" ? century_of(value) : std::string(value));
    }
  }
}

std::optional<std::vector<PieceKey>> Facets::chosen(const Choices& choices) const {
  if (std::all_of(choices.begin(), choices.end(), [](const auto& values) { return values.empty(); })) {
    return std::nullopt;
  }
  std::array<std::vector<bool>, kFacets.size()> picked;
  for (std::size_t f = 0; f < kFacets.size(); ++f) picked[f] = columns_[f].picked(choices[f]);
  std::vector<PieceKey> out;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    bool all = true;
    for (std::size_t f = 0; f < kFacets.size() && all; ++f) all = picked[f][columns_[f].values[i]];
    if (all) out.push_back(pieces_[i]);
  }
  return out;
}

Json Facets::counts(const Choices& choices, const std::optional<std::vector<PieceKey>>& among) const {
  std::array<std::vector<bool>, kFacets.size()> picked;
  std::array<std::vector<std::size_t>, kFacets.size()> counts;
  for (std::size_t f = 0; f < kFacets.size(); ++f) {
    picked[f] = columns_[f].picked(choices[f]);
    counts[f].resize(columns_[f].names.size());
  }
  const auto count = [&](std::size_t i) {
    Misses misses;
    for (std::size_t f = 0; f < kFacets.size(); ++f) {
      if (!picked[f][columns_[f].values[i]]) misses = {misses.count + 1, f};
    }
    for (std::size_t f = 0; f < kFacets.size(); ++f) {
      if (misses.count == 0 || (misses.count == 1 && misses.facet == f)) ++counts[f][columns_[f].values[i]];
    }
  };
  if (among) {
    // For a few pieces of many, a scan of all would take longer than the search.
    auto from = pieces_.begin();
    for (const PieceKey piece : *among) {
      from = std::lower_bound(from, pieces_.end(), piece);
      if (from != pieces_.end() && *from == piece) count(static_cast<std::size_t>(from - pieces_.begin()));
    }
  } else {
    for (std::size_t i = 0; i < pieces_.size(); ++i) count(i);
  }
  Json out = Json::object();
  for (std::size_t f = 0; f < kFacets.size(); ++f) {
    std::vector<std::size_t> order;
    for (std::size_t v = 0; v < counts[f].size(); ++v) {
      if (counts[f][v] > 0 && !columns_[f].names[v].empty()) order.push_back(v);
    }
    const auto first = [&](std::size_t a, std::size_t b) {
      return counts[f][a] != counts[f][b] ? counts[f][a] > counts[f][b] : columns_[f].names[a] < columns_[f].names[b];
    };
    const std::size_t shown = std::min(order.size(), kMostValues);
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(), first);
    Json values = Json::array();
    for (std::size_t i = 0; i < shown; ++i) {
      values.push_back({{"value", columns_[f].names[order[i]]}, {"count", counts[f][order[i]]}});
    }
    out[std::string(kFacets[f])] = std::move(values);
  }
  return out;
}

}  // namespace rondo::server
