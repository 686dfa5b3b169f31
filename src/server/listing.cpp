#include "server/listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/csv.h"

namespace rondo::server {
namespace {

struct FormRow {
  Form form;
  std::string_view name;
  std::string_view type;
};

constexpr std::array kForms = {
    FormRow{Form::json, "json", "application/json"},
    FormRow{Form::csv, "csv", "text/csv; charset=utf-8"},
    FormRow{Form::jsonl, "jsonl", "application/jsonl"},
    FormRow{Form::trec, "trec", "text/plain; charset=utf-8"},
};

const FormRow& row_of(Form form) { return kForms[static_cast<std::size_t>(form)]; }

/// TREC's columns are separated by blanks, so an id must not have any.
std::string without_blanks(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) <= ' '; }, '_');
  return text;
}

std::string json_line(const ListEntry& entry) {
  Json line = {
      {"rank", entry.rank}, {"score", entry.found.score.value}, {"id", entry.id}, {"voice", entry.found.voice}};
  line["probability"] = entry.found.probability ? Json(*entry.found.probability) : Json();
  line.update(metadata_json(entry.metadata));
  line["pae"] = entry.pae;
  line["duplicates"] = entry.duplicates;
  return json_text(line) + "\n";
}

}  // namespace

std::string_view type_of(Form form) { return row_of(form).type; }

Result<Form> form_of(const Call& call, const std::vector<Form>& offered) {
  if (call.target.arguments.has("format")) {
    const std::string_view name = call.target.arguments.text("format");
    std::vector<std::string_view> names;
    for (const Form form : offered) {
      if (row_of(form).name == name) return form;
      names.push_back(row_of(form).name);
    }
    return fail("argument-format", fmt::format("there is no format '{}' here", name), {},
                fmt::format("there are: {}", fmt::join(names, ", ")));
  }
  std::vector<std::string_view> types;
  types.reserve(offered.size());
  for (const Form form : offered) types.push_back(row_of(form).type.substr(0, row_of(form).type.find(';')));
  const std::string_view best = negotiate(header(call.request.headers, "Accept"), types);
  const auto found = std::find(types.begin(), types.end(), best);
  if (found == types.end()) {
    return fail("not-acceptable", "none of the requested media types is available", {},
                fmt::format("there are: {}", fmt::join(types, ", ")));
  }
  return offered[static_cast<std::size_t>(found - types.begin())];
}

void set_counts(const SearchResult& result, Response& response) {
  response.set("Rondo-Counts",
               fmt::format("compared={}, not_reached={}, too_short={}, filtered_out={}, complete={}", result.compared,
                           result.not_reached, result.too_short, result.filtered_out, result.complete));
}

Listing::Listing(Form form, const SearchRequest& request, std::string_view system)
    : form_(form), query_(request.like ? without_blanks(*request.like) : "query"), system_(system) {}

std::string Listing::head() const {
  if (form_ != Form::csv) return {};
  return csv_line({"rank", "score", "id", "voice", "title", "composer", "source", "library", "shelfmark", "uri", "year",
                   "pae", "probability"});
}

std::string Listing::line(const ListEntry& entry) {
  const Metadata& m = entry.metadata;
  const std::string score = fmt::format("{}", entry.found.score.value);
  switch (form_) {
    case Form::csv:
      return csv_line({std::to_string(entry.rank), score, std::string(entry.id), std::to_string(entry.found.voice),
                       m.title, m.composer, m.source, m.library, m.shelfmark, m.uri, m.year, std::string(entry.pae),
                       entry.found.probability ? fmt::format("{:.4f}", *entry.found.probability) : std::string()});
    case Form::trec:
      return fmt::format("{} Q0 {} {} {} {}\n", query_, without_blanks(std::string(entry.id)), entry.rank,
                         scores_.next(entry.found.score.value), system_);
    case Form::json:
    case Form::jsonl: return json_line(entry);
  }
  return {};
}

}  // namespace rondo::server
