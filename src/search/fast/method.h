#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "search/fast/team.h"

namespace rondo::fast {

/// Notes (or structures) of a document; the few longer ones are scored one by one, for in the lanes of a kernel they
/// would only fill memory.
inline constexpr std::size_t kLongestInLanes = 2000;

/// One way to find the best documents: it must offer every document that can reach the bar, in whatever order raises
/// the bar soonest. To add one: one file, one line in method.cpp.
class Method {
 public:
  virtual ~Method() = default;
  Method() = default;
  Method(const Method&) = delete;
  Method& operator=(const Method&) = delete;
  /// Comes first, with all fields, for methods whose scores depend on every document that takes part.
  virtual void survey(std::span<const Field> /*fields*/, Team& /*team*/) {}
  virtual void run(const Field& field, Team& team) const = 0;
};

/// What a method is chosen by.
struct Task {
  const SystemRow& row;
  const System& system;
  const Line& query;
};

/// A row of the table of methods: gives a method for the tasks it can do, null for others.
struct MethodRow {
  std::string_view name;
  std::unique_ptr<Method> (*make)(const Task& task);
};

/// The first row that can do the task.
struct ChosenMethod {
  std::string_view name;
  std::unique_ptr<Method> method;
};
[[nodiscard]] ChosenMethod choose_method(const Task& task);

std::unique_ptr<Method> make_window_method(const Task& task);
std::unique_ptr<Method> make_ngr5_method(const Task& task);
std::unique_ptr<Method> make_letters_method(const Task& task);
std::unique_ptr<Method> make_ldp_method(const Task& task);
std::unique_ptr<Method> make_geometric_method(const Task& task);
std::unique_ptr<Method> make_heap_method(const Task& task);
std::unique_ptr<Method> make_gar_method(const Task& task);
std::unique_ptr<Method> make_gam_method(const Task& task);
std::unique_ptr<Method> make_pioi_method(const Task& task);
std::unique_ptr<Method> make_rated_method(const Task& task);
std::unique_ptr<Method> make_opti3_method(const Task& task);
std::unique_ptr<Method> make_keyed_method(const Task& task);
std::unique_ptr<Method> make_orio_method(const Task& task);
std::unique_ptr<Method> make_exhaustive_method(const Task& task);

}  // namespace rondo::fast
