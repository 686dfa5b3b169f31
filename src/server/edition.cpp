#include "server/edition.h"

#include <fmt/format.h>

#include "rondo/search/load.h"

namespace rondo::server {
namespace {

/// Beside the collection where that can be written, else in memory.
Result<Index> open_index(Collection& collection) {
  auto index = Index::update(collection, Index::path_for(collection.path()));
  return index ? std::move(index) : Index::of(collection);
}

/// NAME:VALUE as addresses have it, NAME=VALUE as the systems know it.
std::vector<std::string> settings_of(std::vector<std::string> settings) {
  for (std::string& setting : settings) {
    if (const std::size_t colon = setting.find(':'); colon != std::string::npos) setting[colon] = '=';
  }
  return settings;
}

}  // namespace

Result<std::shared_ptr<Edition>> Edition::of(Collection& collection, std::string version) {
  auto index = open_index(collection);
  if (!index) return fail(std::move(index.error()));
  auto size = collection.size();
  if (!size) return fail(std::move(size.error()));
  return std::shared_ptr<Edition>(new Edition(std::move(version), std::move(*index), *size));
}

Result<std::shared_ptr<const Index>> Edition::index(Collection& collection, const LineOptions& line,
                                                    Clock::time_point until) {
  if (line == LineOptions{}) return standard_;
  return indexes_.get(hearing_key(line), until, [&]() -> Result<std::shared_ptr<const Index>> {
    const LineMaker make = [line](const Voice& voice) { return make_line(voice, line); };
    auto index = Index::of(collection, make);
    if (!index) return fail(std::move(index.error()));
    return std::make_shared<const Index>(std::move(*index));
  });
}

Result<std::shared_ptr<const ChosenSystem>> Edition::system(Collection& collection, std::string_view name,
                                                            const std::vector<std::string>& settings,
                                                            const LineOptions& line, Clock::time_point until) {
  const std::string key = fmt::format("{} {} {}", name, fmt::join(settings, " "), hearing_key(line));
  return systems_.get(key, until, [&]() -> Result<std::shared_ptr<const ChosenSystem>> {
    auto chosen = resolve_system(name, settings_of(settings));
    if (!chosen) return fail(std::move(chosen.error()));
    if (searches_index(*chosen->system)) {
      auto index = this->index(collection, line, until);
      if (!index) return fail(std::move(index.error()));
      teach(**index, *chosen->system);
    } else if (chosen->system->learns()) {
      auto corpus = this->corpus(collection, line, until);
      if (!corpus) return fail(std::move(corpus.error()));
      (*corpus)->teach(*chosen->system);
    }
    return std::make_shared<const ChosenSystem>(std::move(*chosen));
  });
}

Result<std::shared_ptr<const Corpus>> Edition::corpus(Collection& collection, const LineOptions& line,
                                                      Clock::time_point until) {
  return corpora_.get(hearing_key(line), until, [&]() -> Result<std::shared_ptr<const Corpus>> {
    auto corpus = load_corpus(collection, line);
    if (!corpus) return fail(std::move(corpus.error()));
    return std::make_shared<const Corpus>(std::move(*corpus));
  });
}

Result<std::shared_ptr<const Facets>> Edition::facets(Collection& collection, Clock::time_point until) {
  return facets_.get(0, until, [&]() -> Result<std::shared_ptr<const Facets>> {
    auto facets = Facets::of(collection);
    if (!facets) return fail(std::move(facets.error()));
    return std::make_shared<const Facets>(std::move(*facets));
  });
}

Result<std::shared_ptr<const std::string>> Edition::all_counts(Collection& collection, Clock::time_point until) {
  return counts_.get(0, until, [&]() -> Result<std::shared_ptr<const std::string>> {
    auto facets = this->facets(collection, until);
    if (!facets) return fail(std::move(facets.error()));
    return std::make_shared<const std::string>(json_text((*facets)->counts({}, std::nullopt)));
  });
}

}  // namespace rondo::server
