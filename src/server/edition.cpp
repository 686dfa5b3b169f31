#include "server/edition.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace rondo::server {
namespace {

/// Beside the collection where that can be written, else in memory.
Result<Index> open_index(Collection& collection) {
  auto index = Index::update(collection, Index::path_for(collection.path()));
  return index ? std::move(index) : Index::of(collection);
}

Result<Parameters> parameters_of(const SystemRow& row, const std::vector<std::string>& settings) {
  Parameters parameters(row.parameters);
  for (const std::string& setting : settings) {
    const std::size_t colon = setting.find(':');
    double value = 0;
    const char* end = setting.data() + setting.size();
    const bool read = colon != std::string::npos && colon + 1 < setting.size() &&
                      std::from_chars(setting.data() + colon + 1, end, value).ptr == end && std::isfinite(value);
    if (!read) return fail("parameter-malformed", fmt::format("'{}' is not NAME:NUMBER", setting));
    if (auto done = parameters.set(std::string_view(setting).substr(0, colon), value); !done) {
      return fail(std::move(done.error()));
    }
  }
  return parameters;
}

/// Tells systems apart that differ in anything: values in the row's order, whatever order they were given in.
std::string system_key(const SystemRow& row, const Parameters& parameters, const Hearing& hearing) {
  std::string key(row.name);
  for (const Parameter& parameter : row.parameters) key += fmt::format(" {}", parameters.get(parameter.name));
  return fmt::format("{} #{}", key, hearing.key());
}

}  // namespace

Result<const SystemRow*> system_row(std::string_view name) {
  if (const SystemRow* row = find_system(name)) return row;
  std::vector<std::string_view> names;
  for (const SystemRow* row : systems()) names.push_back(row->name);
  return fail("system-unknown", fmt::format("there is no system '{}'", name), {},
              fmt::format("there are: {}", fmt::join(names, ", ")));
}

Result<std::shared_ptr<Edition>> Edition::of(Collection& collection, std::string version) {
  auto index = open_index(collection);
  if (!index) return fail(std::move(index.error()));
  auto size = collection.size();
  if (!size) return fail(std::move(size.error()));
  return std::shared_ptr<Edition>(new Edition(std::move(version), std::move(*index), *size));
}

Result<std::shared_ptr<const Index>> Edition::index(Collection& collection, const Hearing& hearing,
                                                    Clock::time_point until) {
  if (hearing.is_standard()) return standard_;
  return indexes_.get(hearing.key(), until, [&]() -> Result<std::shared_ptr<const Index>> {
    auto index = Index::of(collection, LineMaker(hearing));
    if (!index) return fail(std::move(index.error()));
    return std::make_shared<const Index>(std::move(*index));
  });
}

Result<std::shared_ptr<const TaughtSystem>> Edition::system(Collection& collection, std::string_view name,
                                                            const std::vector<std::string>& settings,
                                                            const Hearing& hearing, Clock::time_point until) {
  auto row = system_row(name);
  if (!row) return fail(std::move(row.error()));
  auto parameters = parameters_of(**row, settings);
  if (!parameters) return fail(std::move(parameters.error()));
  const std::string key = system_key(**row, *parameters, hearing);
  return systems_.get(key, until, [&]() -> Result<std::shared_ptr<const TaughtSystem>> {
    auto index = this->index(collection, hearing, until);
    if (!index) return fail(std::move(index.error()));
    TaughtSystem taught{*row, (*row)->make(*parameters)};
    teach(**index, *taught.system);
    return std::make_shared<const TaughtSystem>(std::move(taught));
  });
}

Result<std::shared_ptr<const WholePieces>> Edition::whole_pieces(Collection& collection, Clock::time_point until) {
  return whole_.get(0, until, [&]() -> Result<std::shared_ptr<const WholePieces>> {
    WholePieces all;
    const auto visit = [&](const StoredPiece& stored) {
      all.corpus.documents.push_back(make_document(stored.piece));
      all.keys.push_back(stored.key);
      return true;
    };
    constexpr bool kWithoutSource = false;
    if (auto done = collection.each_piece(visit, kWithoutSource); !done) return fail(std::move(done.error()));
    return std::make_shared<const WholePieces>(std::move(all));
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
