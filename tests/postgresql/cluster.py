"""Two shards with a replica each and a coordinator, all on this machine: docs/scale.md says how to do it on several."""


from server import ROOT, Server, Sql

SQL = ROOT / "postgresql/cluster"
DATABASE = "music"
# A commit is acknowledged when the replica has it on disk too, so that none is lost with the primary. The replicas do not
# wait for anybody.
PRIMARY = ("synchronous_commit = on", "synchronous_standby_names = '*'")
# What is tried here are killed processes, not power cuts; five servers on one disk would wait for each other.
QUICK = ("fsync = off",)
REPLICA = ("synchronous_standby_names = ''", "primary_slot_name = ''", "wal_receiver_status_interval = 1s",
           "wal_retrieve_retry_interval = 200ms")


class Shard:
    """A primary, and a replica that is asked when the primary is gone."""

    def __init__(self, installation, number, deadline):
        self.name = f"s{number}"
        self.primary = Server(installation, f"{self.name}a", settings=QUICK)
        sql = Sql(self.primary)
        # Limits of whoever searches: nothing is written, and nothing takes longer than the deadline.
        sql.run("CREATE ROLE rondo_search LOGIN; CREATE ROLE rondo_write LOGIN;"
                "ALTER ROLE rondo_search SET default_transaction_read_only = on;"
                f"ALTER ROLE rondo_search SET statement_timeout = '{deadline}s';"
                "ALTER ROLE rondo_search SET work_mem = '16MB'")
        sql.run(f"CREATE DATABASE {DATABASE}")
        sql.close()
        sql = Sql(self.primary, DATABASE)
        sql.run((SQL / "shard.sql").read_text(encoding="utf-8"))
        sql.close()
        self.replica = Server(installation, f"{self.name}b", settings=REPLICA, copy_of=self.primary)
        # Only now that there is a replica can a commit wait for it.
        sql = Sql(self.primary)
        for setting in PRIMARY:
            name, value = setting.split(" = ")
            sql.run(f"ALTER SYSTEM SET {name} = {value}")
        sql.run("SELECT pg_reload_conf()")
        sql.close()

    def servers(self):
        return (self.primary, self.replica)

    def hosts(self):
        return ",".join(str(server.socket) for server in self.servers())

    def promote(self):
        """Makes the replica the primary. On real hosts Patroni does that, and sees to it that there is only one."""
        sql = Sql(self.replica)
        sql.run("SELECT pg_promote(true, 60)")
        sql.close()


class Cluster:
    """A slow shard is ended by its own statement_timeout; PL/Proxy looks at its query_timeout, which is for a shard that
    does not say anything at all, every ten seconds only."""

    def __init__(self, installation, shards=2, deadline=5):
        self.shards = [Shard(installation, number, deadline) for number in range(shards)]
        self.coordinator = Server(installation, "c", settings=QUICK)
        sql = Sql(self.coordinator)
        sql.run("CREATE ROLE rondo_search LOGIN")
        sql.run(f"CREATE DATABASE {DATABASE}")
        sql.close()
        sql = Sql(self.coordinator, DATABASE)
        sql.run("CREATE EXTENSION plproxy")
        for name, role, session in (("search_shards", "rondo_search", "any"), ("write_shards", "rondo_write", "read-write")):
            parts = ", ".join(
                f"p{number} 'dbname={DATABASE} host={shard.hosts()} target_session_attrs={session} connect_timeout=2'"
                for number, shard in enumerate(self.shards))
            sql.run(f"CREATE SERVER {name} FOREIGN DATA WRAPPER plproxy"
                    f" OPTIONS (connection_lifetime '1800', query_timeout '{deadline}', {parts});"
                    f"CREATE USER MAPPING FOR PUBLIC SERVER {name} OPTIONS (user '{role}');"
                    f"GRANT USAGE ON FOREIGN SERVER {name} TO {'PUBLIC' if role == 'rondo_search' else 'tester'}")
        sql.run((SQL / "coordinator.sql").read_text(encoding="utf-8"))
        sql.close()

    def sql(self):
        return Sql(self.coordinator, DATABASE)

    def load(self, rows):
        """Pairs of id, title and melody, as a program of one's own would."""
        sql = self.sql()
        for row in rows:
            sql.run("SELECT put(%s, %s, %s)", *row)
        sql.run("SELECT share_statistics()")
        sql.close()

    def stop(self):
        # The coordinator and the replicas first: a primary waits for its replicas at its end.
        for server in (self.coordinator, *(shard.replica for shard in self.shards), *(shard.primary for shard in self.shards)):
            server.stop()


