#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

/// The program as a user runs it: through a shell, in a folder of its own that is gone after the test.
class Program : public testing::Test {
 protected:
  struct Outcome {
    int code = -1;
    std::string out;
    std::string err;
  };

  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "rondo-cli-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  /// Runs "rondo ARGUMENTS" with the test's folder as working directory.
  Outcome rondo(const std::string& arguments, const std::string& before = "") {
    return shell(before + "'" RONDO_PROGRAM "' " + arguments);
  }

  Outcome shell(const std::string& command) {
    const std::string line = "cd '" + folder_.string() + "' && { " + command + " ; } >'" + path("stdout") + "' 2>'" +
                             path("stderr") + "' </dev/null";
    const int status = std::system(line.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read("stdout"), read("stderr")};
  }

  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream in(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  [[nodiscard]] static std::string demo() { return RONDO_SOURCE_DIR "/data/demo"; }

 private:
  std::filesystem::path folder_;
};
