#include "features/features.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/terminal.h"
#include "features/json.h"
#include "rondo/store/collection.h"

namespace rondo::cli {
namespace {

using Json = nlohmann::ordered_json;

struct FeaturesArguments {
  std::string id;
  std::string db;
  std::string format = "table";
};

/// "+4 -2 0": a unison has no direction.
std::string signed_text(std::span<const std::int16_t> intervals) {
  std::string text;
  for (const std::int16_t interval : intervals) {
    text += fmt::format("{}{}{}", text.empty() ? "" : " ", interval > 0 ? "+" : "", interval);
  }
  return text;
}

std::string motive_text(const Features& f, const Motive& motive) {
  return signed_text(std::span(f.diatonic).subspan(motive.first, motive.length));
}

std::string shares(const Features& f) {
  std::string text;
  for (std::size_t size = 0; size < Features::kSizes; ++size) {
    if (f.sizes[size] == 0) continue;
    text += fmt::format("{}{} {} ({:.0f} %)", text.empty() ? "" : ", ", kSizeNames[size], f.sizes[size],
                        100.0 * f.sizes[size] / static_cast<double>(f.diatonic.size()));
  }
  return text;
}

void print_table(const Features& f) {
  Table table({{"feature"}, {"value", Table::Align::left, true}});
  table.row({"notes", std::to_string(f.notes)});
  const auto written = [&](const char* name, const std::string& value) {
    if (!value.empty()) table.row({name, value});
  };
  written("clef", f.clef);
  written("key", f.key);
  written("key signature", f.key_signature);
  written("time", f.time);
  table.row({"range", fmt::format("{} semitones, {} steps", f.range, f.range_steps)});
  table.row({"duration ratio", fmt::format("{:.4g}", f.duration_ratio)});
  table.row({"largest interval", fmt::format("{} semitones, {} steps", f.max_interval, f.max_interval_steps)});
  table.row({"contour", f.contour});
  table.row({"rhythm", f.rhythm});
  table.row({"intervals, steps", signed_text(f.diatonic)});
  table.row({"intervals, semitones", signed_text(f.chromatic)});
  table.row({"histogram", shares(f)});
  for (const Motive& motive : f.motives)
    table.row({"motive", fmt::format("{} times {}", motive.count, motive_text(f, motive))});
  table.print(stdout);
}

int run(const FeaturesArguments& options) {
  auto collection = Collection::open(options.db, OpenMode::read);
  if (!collection) return report(collection.error());
  auto piece = collection->get(options.id);
  if (!piece) return report(piece.error());
  Json voices = Json::array();
  for (std::size_t i = 0; i < piece->voices.size(); ++i) {
    const Features features = features_of(piece->voices[i]);
    if (options.format == "json") {
      voices.push_back(features_json(features));
      continue;
    }
    if (piece->voices.size() > 1) print_to(stdout, "{}voice {}\n", i == 0 ? "" : "\n", i + 1);
    print_table(features);
  }
  if (options.format == "json") {
    const Json all = {{"id", piece->id}, {"title", piece->metadata.title}, {"voices", voices}};
    print_to(stdout, "{}\n", all.dump(2, ' ', false, Json::error_handler_t::replace));
  } else if (piece->voices.empty()) {
    print_to(stdout, "This record has no notation.\n");
  }
  return kSuccess;
}

}  // namespace

Action define_features(CLI::App& app) {
  auto options = std::make_shared<FeaturesArguments>();
  app.add_option("id", options->id, "id of the melody")->required();
  add_db(app, options->db);
  app.add_option("--format", options->format, "table or json")
      ->check(CLI::IsMember({"table", "json"}))
      ->capture_default_str();
  return [options] { return run(*options); };
}

}  // namespace rondo::cli
