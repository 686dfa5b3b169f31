#include "truth_json.h"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>

#include "base/json.h"
#include "base/streams.h"
#include "columns.h"

namespace rondo::evaluation {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxBytes = std::size_t{256} * 1024 * 1024;
constexpr std::string_view kEnvelope = "rondo-truth";
/// Envelope, queries, query, groups, group, document.
constexpr int kMaxDepth = 6;

class JsonReader {
 public:
  explicit JsonReader(const std::string& file) : file_(file) {}

  [[nodiscard]] Result<Truth> read(const std::string& text);

 private:
  [[nodiscard]] Result<json> parse(const std::string& text);
  [[nodiscard]] Result<void> read_envelope(const json& root, Truth& truth) const;
  [[nodiscard]] Result<QueryTruth> read_query(const std::string& name, const json& value) const;
  [[nodiscard]] Result<std::vector<double>> read_gains(const std::string& query, const json& value) const;
  [[nodiscard]] Result<std::vector<std::string>> read_documents(const std::string& query, const json& value,
                                                                std::unordered_set<std::string>& seen) const;
  [[nodiscard]] Failure wrong(std::string message, const std::string& query = {}) const {
    return fail("truth-json", std::move(message), place(query),
                R"(write {"query": [["most", "similar"], ["less"]]}, or the forms in the documentation)");
  }
  [[nodiscard]] Place place(const std::string& query) const {
    Place where;
    where.file = file_;
    where.record = query;
    return where;
  }

  const std::string& file_;
  /// Keys in the order of the file, of the outermost object and of the objects in it.
  std::vector<std::string> keys_;
  std::vector<std::string> inner_keys_;
};

/// Records keys during parsing, because the parsed objects lose their order and drop duplicate keys.
struct KeyWatch {
  std::vector<std::string>& keys;
  std::vector<std::string>& inner_keys;
  /// Keys seen in the object that is open at each depth.
  std::array<std::unordered_set<std::string>, kMaxDepth + 2> seen{};
  std::optional<std::string> repeated{};
  bool too_deep = false;
  bool in_queries = false;

  bool operator()(int depth, json::parse_event_t event, const json& parsed) {
    if (depth > kMaxDepth) {
      too_deep = true;
      return false;
    }
    const auto level = static_cast<std::size_t>(depth);
    if (event == json::parse_event_t::object_start) seen[level + 1].clear();
    if (event != json::parse_event_t::key) return true;
    const std::string& key = parsed.get_ref<const std::string&>();
    if (!seen[level].insert(key).second) {
      if (!repeated) repeated = key;
      return true;
    }
    if (depth == 1) {
      in_queries = key == "queries";
      keys.push_back(key);
    } else if (depth == 2 && in_queries) {
      inner_keys.push_back(key);
    }
    return true;
  }
};

Result<json> JsonReader::parse(const std::string& text) {
  KeyWatch watch{keys_, inner_keys_};
  auto root = parse_json(text, kLargeJson, std::ref(watch));
  if (!root) {
    Place where = place({});
    where.line = root.error().place.line;
    where.column = root.error().place.column;
    return fail("truth-json", std::move(root.error().message), std::move(where), std::move(root.error().hint));
  }
  if (watch.too_deep) return wrong("lists are nested too deeply for a truth");
  if (watch.repeated) {
    return fail("truth-duplicate", "the key " + in_quotes(*watch.repeated) + " occurs twice in one object",
                place(*watch.repeated));
  }
  if (!root->is_object()) return wrong("a truth is an object with a key for each query");
  return root;
}

Result<Truth> JsonReader::read(const std::string& text) {
  auto root = parse(text);
  if (!root) return fail(std::move(root.error()));
  Truth truth;
  const json* queries = &*root;
  const std::vector<std::string>* order = &keys_;
  const auto envelope = root->find(kEnvelope);
  if (envelope != root->end() && envelope->is_number()) {
    if (auto done = read_envelope(*root, truth); !done) return fail(std::move(done.error()));
    queries = &root->at("queries");
    order = &inner_keys_;
  }
  for (const std::string& name : *order) {
    auto query = read_query(name, queries->at(name));
    if (!query) return fail(std::move(query.error()));
    truth.queries.push_back(std::move(*query));
  }
  return truth;
}

Result<void> JsonReader::read_envelope(const json& root, Truth& truth) const {
  if (root.at(kEnvelope) != 1) return wrong("only version 1 of \"rondo-truth\" is known");
  for (const auto& [key, value] : root.items()) {
    if (key == "complete" && value.is_boolean()) {
      truth.complete = value.get<bool>();
    } else if (key == "query_excluded" && value.is_boolean()) {
      truth.query_excluded = value.get<bool>();
    } else if (key == "collection_size" && value.is_number_unsigned() && value.get<std::uint64_t>() < (1ULL << 53U)) {
      truth.collection_size = value.get<std::size_t>();
    } else if (key != kEnvelope && !(key == "queries" && value.is_object())) {
      return wrong("the truth's " + in_quotes(key) + " is unknown or has the wrong type");
    }
  }
  if (!root.contains("queries")) return wrong("the truth has no \"queries\"");
  return {};
}

Result<QueryTruth> JsonReader::read_query(const std::string& name, const json& value) const {
  QueryTruth truth;
  truth.query = name;
  if (name.empty() || name.find_first_of(" \t") != std::string::npos || !is_clean_text(name)) {
    return wrong("the query id " + in_quotes(name) + " is empty or has blanks or control characters", name);
  }
  const json* groups = &value;
  std::unordered_set<std::string> seen;
  if (value.is_object()) {
    groups = nullptr;
    for (const auto& [key, part] : value.items()) {
      if (key == "groups") {
        groups = &part;
      } else if (key == "gains") {
        auto gains = read_gains(name, part);
        if (!gains) return fail(std::move(gains.error()));
        truth.gains = std::move(*gains);
      } else if (key == "not_relevant") {
        auto documents = read_documents(name, part, seen);
        if (!documents) return fail(std::move(documents.error()));
        truth.not_relevant = std::move(*documents);
      } else {
        return wrong("a query has no " + in_quotes(key), name);
      }
    }
  }
  if (groups == nullptr || !groups->is_array()) return wrong("the query has no list of groups", name);
  for (const json& group : *groups) {
    auto documents = read_documents(name, group, seen);
    if (!documents) return fail(std::move(documents.error()));
    if (documents->empty()) return wrong("a group is empty", name);
    truth.groups.push_back(std::move(*documents));
  }
  if (!truth.gains.empty() && truth.gains.size() != truth.groups.size()) {
    return wrong("there are not as many gains as groups", name);
  }
  return truth;
}

Result<std::vector<double>> JsonReader::read_gains(const std::string& query, const json& value) const {
  std::vector<double> gains;
  bool fine = value.is_array();
  for (const json& gain : value) {
    fine = fine && gain.is_number() && std::isfinite(gain.get<double>()) && gain.get<double>() > 0;
    if (!fine) break;
    gains.push_back(gain.get<double>());
  }
  if (!fine) return wrong("\"gains\" is not a list of numbers above 0", query);
  return gains;
}

Result<std::vector<std::string>> JsonReader::read_documents(const std::string& query, const json& value,
                                                            std::unordered_set<std::string>& seen) const {
  if (!value.is_array()) return wrong("a group is not a list of document ids", query);
  std::vector<std::string> documents;
  for (const json& item : value) {
    if (!item.is_string()) return wrong("a document id is not a string", query);
    const auto& id = item.get_ref<const std::string&>();
    if (id.empty() || id.find_first_of(" \t") != std::string::npos || !is_clean_text(id)) {
      return wrong("the document id " + in_quotes(id) + " is empty or has blanks or control characters", query);
    }
    if (!seen.insert(id).second) {
      return fail("truth-duplicate", "document " + in_quotes(id) + " is judged twice", place(query));
    }
    documents.push_back(id);
  }
  return documents;
}

json query_json(const QueryTruth& query) {
  if (query.gains.empty() && query.not_relevant.empty()) return query.groups;
  json out = {{"groups", query.groups}};
  if (!query.gains.empty()) out["gains"] = query.gains;
  if (!query.not_relevant.empty()) out["not_relevant"] = query.not_relevant;
  return out;
}

std::string dumped(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

}  // namespace

Result<Truth> read_truth_json(ByteSource& source, const std::string& file) {
  auto text = read_all(source, kMaxBytes);
  if (!text) return fail(std::move(text.error()));
  if (text->starts_with("\xEF\xBB\xBF")) text->erase(0, 3);
  return JsonReader(file).read(*text);
}

std::string write_truth_json(const Truth& truth) {
  const bool envelope = truth.complete || truth.query_excluded || truth.collection_size != 0;
  // One query per line: keeps the order of queries, and line-based diffs work.
  std::string out = "{";
  if (envelope) {
    out += "\"rondo-truth\": 1,\n";
    out += std::string("\"complete\": ") + (truth.complete ? "true" : "false") + ",\n";
    out += std::string("\"query_excluded\": ") + (truth.query_excluded ? "true" : "false") + ",\n";
    if (truth.collection_size != 0) out += "\"collection_size\": " + std::to_string(truth.collection_size) + ",\n";
    out += "\"queries\": {";
  }
  const char* separator = "\n";
  for (const QueryTruth& query : truth.queries) {
    out += separator + dumped(query.query) + ": " + dumped(query_json(query));
    separator = ",\n";
  }
  return out + (envelope ? "\n}}\n" : "\n}\n");
}

}  // namespace rondo::evaluation
