#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/bridge.h"
#include "rondo/base/result.h"
#include "rondo/melody/line.h"
#include "rondo/similarity/plan.h"
#include "rondo/similarity/system.h"

namespace rondo::postgresql {

/// The value of the type melodyquery. As bytes: version 1 (u8), OID of the statistics (u32), system and settings
/// (each a u16 and so many bytes; before the settings a u16 with their number), the melody packed. Little-endian.
struct Query {
  std::uint32_t statistics = 0;
  std::string system{kDefaultSystem};
  std::vector<std::string> settings;
  std::string melody;  ///< packed
};
[[nodiscard]] Result<std::string> encode(const Query& query);
[[nodiscard]] Result<Query> decode(std::string_view bytes);

/// Systems whose scores are not those of two melodies alone give `system-mixture`.
[[nodiscard]] Result<ChosenSystem> choose(const std::string& system, const std::vector<std::string>& settings);

/// A query ready to be compared: its line, and the system taught by the statistics that it names.
struct ReadyQuery {
  std::shared_ptr<const ChosenSystem> chosen;
  std::unique_ptr<const Line> line;  ///< stays where it is when this is moved
  std::unique_ptr<PreparedQuery> prepared;
};
[[nodiscard]] Result<ReadyQuery> make_ready(const Query& query);
/// Systems that were taught are kept for the next query; no longer.
void forget_systems() noexcept;

}  // namespace rondo::postgresql
