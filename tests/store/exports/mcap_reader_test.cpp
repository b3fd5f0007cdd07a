// MCAP files read by another project's reader: npm's @mcap/core, which `make readers` installs.

#include <cstdlib>
#include <filesystem>
#include <map>

#include <nlohmann/json.hpp>

#include "store/exports/export_test_run.h"
#include "support/names.h"

namespace articula::test {
namespace {

using namespace store_test;
using nlohmann::json;

const std::string readers = ARTICULA_SOURCE_DIR "/build/readers";

class McapReader : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("node --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no node on this machine";
    if (!std::filesystem::exists(readers + "/node_modules/@mcap/core"))
      GTEST_SKIP() << "@mcap/core is not installed. Run `make readers`.";
  }

  /// The content of a file according to the reader, which fails on every wrong checksum and index.
  json read(const std::string& file) const {
    const std::string out = folder_.path("read.json");
    const std::string command =
        "node " ARTICULA_SOURCE_DIR "/tests/readers/read_mcap.mjs " + readers + " " + file + " >" + out;
    EXPECT_EQ(std::system(command.c_str()), 0);
    return json::parse(content(out));
  }

  const Folder folder_;
};

TEST_F(McapReader, finds_every_value) {
  Store store(folder_ / "runs.db", Store::Access::write);
  const StoredRun run = store.run(add_odd_run(store));
  export_as("mcap", store, run, run.tasks, folder_ / "out.mcap");
  const json found = read(folder_.path("out.mcap"));
  EXPECT_EQ(found["records"]["Message"], 752);
  EXPECT_EQ(found["messageCount"], 752);
  std::map<std::string, json> channels;
  for (const json& channel : found["channels"]) {
    EXPECT_EQ(channel["messageEncoding"], "json");
    EXPECT_EQ(channel["schemaEncoding"], "jsonschema");
    EXPECT_EQ(channel["schema"]["type"], "object");
    channels[channel["topic"]] = channel["messages"];
  }
  ASSERT_EQ(channels.size(), 4u);
  for (const int place : {1, 2}) {
    const json& messages = channels.at(place == 1 ? "/motion/q" : "/motion/v");
    ASSERT_EQ(messages.size(), 250u);
    for (std::size_t i = 0; i < 250; ++i) {
      EXPECT_EQ(messages[i]["time"], i * 10'000'000);
      EXPECT_EQ(messages[i]["data"]["joint1"],
                sample_row(static_cast<std::int64_t>(i))[static_cast<std::size_t>(place)]);
    }
  }
  const json& odd = channels.at("/odd/na\"me");
  ASSERT_EQ(odd.size(), 2u);
  EXPECT_TRUE(odd[0]["data"]["say \"q\""].is_null());
  EXPECT_EQ(odd[1]["data"]["two\nlines"], 1.0 / 3);
  EXPECT_EQ(odd[1]["data"]["x|y"], 5e-324);
  EXPECT_EQ(found["metadata"]["articula_run"]["run"], run.id);
  EXPECT_EQ(found["attachments"]["study.yaml"], "articula_study: 1\n");
}

TEST_F(McapReader, reads_files_of_several_chunks_and_of_none) {
  Store store(folder_ / "runs.db", Store::Access::write);
  add_sample(store, 20000, 5000);
  const StoredRun run = store.run("latest");
  export_as("mcap", store, run, run.tasks, folder_ / "out.mcap");
  const json found = read(folder_.path("out.mcap"));
  EXPECT_EQ(found["messageCount"], 60000);
  EXPECT_GT(found["records"]["ChunkIndex"], 1);
  for (const json& channel : found["channels"]) {
    ASSERT_EQ(channel["messages"].size(), 20000u) << channel["topic"];
    for (std::size_t i = 1; i < 20000; ++i)
      ASSERT_LT(channel["messages"][i - 1]["time"], channel["messages"][i]["time"]);
  }
  export_as("mcap", store, run, {}, folder_ / "none.mcap");
  EXPECT_EQ(read(folder_.path("none.mcap"))["messageCount"], 0);
}

}  // namespace
}  // namespace articula::test
